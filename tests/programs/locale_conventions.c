// steam: env=LC_ALL=C,LANG=C
/* locale.h: localeconv fields, setlocale queries, newlocale/uselocale, strfmon-free formatting, iconv-free. */
#define _GNU_SOURCE
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void shown(const char *name, const char *value) { printf("%s=<%s>\n", name, value); }
static void number(const char *name, char value)
{
    if (value == CHAR_MAX)
        printf("%s unset\n", name);
    else
        printf("%s=%d\n", name, value);
}

static void conventions(void)
{
    struct lconv *c = localeconv();
    shown("decimal_point", c->decimal_point);
    shown("thousands_sep", c->thousands_sep);
    shown("grouping", c->grouping);
    shown("int_curr_symbol", c->int_curr_symbol);
    shown("currency_symbol", c->currency_symbol);
    shown("mon_decimal_point", c->mon_decimal_point);
    shown("positive_sign", c->positive_sign);
    number("int_frac_digits", c->int_frac_digits);
    number("p_cs_precedes", c->p_cs_precedes);
    number("n_sign_posn", c->n_sign_posn);
}

static void group(char *out, long value)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%ld", value), o = 0;
    for (int i = 0; i < n; i++) {
        out[o++] = digits[i];
        int left = n - 1 - i;
        if (left && left % 3 == 0 && digits[i] != '-')
            out[o++] = '.';
    }
    out[o] = 0;
}

int main(void)
{
    shown("start", setlocale(LC_ALL, NULL));
    conventions();
    shown("from environment", setlocale(LC_ALL, ""));
    printf("missing: %d\n", setlocale(LC_ALL, "xx_YY.nowhere") == NULL);
    static const int items[] = {CODESET, RADIXCHAR, DAY_1, ABMON_12, D_T_FMT, AM_STR, YESEXPR, T_FMT_AMPM};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        shown("langinfo", nl_langinfo(items[i]));

    locale_t utf = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (utf) {
        locale_t old = uselocale(utf);
        shown("codeset", nl_langinfo(CODESET));
        printf("max %zu\n", MB_CUR_MAX);
        uselocale(old);
        shown("codeset", nl_langinfo(CODESET));
        freelocale(utf);
    }
    static const long values[] = {0, 7, 1234, -56789, 1000000, INT_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char out[48];
        group(out, values[i]);
        printf("%s %'ld\n", out, values[i]);
    }
    const char *words[] = {"apple", "Banana", "cherry", "Apple"};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            putchar("<=>"[(strcoll(words[i], words[j]) > 0) - (strcoll(words[i], words[j]) < 0) + 1]);
    putchar('\n');
    printf("%s %s\n", setlocale(LC_NUMERIC, "POSIX"), setlocale(LC_TIME, "C"));
    return 0;
}
