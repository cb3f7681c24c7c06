// steam: env=TZ=UTC0
/* Calendar functions on constants: gmtime, timegm, mktime in fixed zones, strftime, strptime, difftime. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(const char *label, const struct tm *t)
{
    char text[128];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", t);
    printf("%s: %s dst %d\n", label, text, t->tm_isdst);
}

static void all_formats(const struct tm *t)
{
    static const char letters[] = "aAbBcCdDeFgGhHIjklmMnprRStTuUVwWxXyYzZ%";
    char format[3] = "%?", text[100];
    for (const char *p = letters; *p; p++) {
        format[1] = *p;
        size_t n = strftime(text, sizeof text, format, t);
        printf("%%%c=%s(%zu)%c", *p, *p == 'n' ? "NL" : *p == 't' ? "TAB" : text, n, (p - letters) % 8 == 7 ? '\n' : ' ');
    }
    putchar('\n');
    strftime(text, sizeof text, "%_d|%-d|%03d|%^a|%#Z|%10Y|%EY|%Od", t);
    puts(text);
    printf("too small: %zu\n", strftime(text, 5, "%Y-%m-%d", t));
}

int main(void)
{
    static const time_t moments[] = {0, 1, 86399, 86400, 951782400, 951868800, 1000000000, 1234567890, 1709164800, 2147483647, -1, -86401, -2147483647 - 1};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        struct tm broken;
        gmtime_r(&moments[i], &broken);
        char label[32];
        snprintf(label, sizeof label, "%ld", (long)moments[i]);
        show(label, &broken);
        if (timegm(&broken) != moments[i])
            puts("timegm differs");
    }
    struct tm leap = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_hour = 13, .tm_min = 5, .tm_sec = 9};
    timegm(&leap);
    all_formats(&leap);

    struct tm odd = {.tm_year = 123, .tm_mon = 14, .tm_mday = -3, .tm_hour = 50, .tm_min = -70, .tm_sec = 4000, .tm_isdst = -1};
    printf("normalised %ld\n", (long)mktime(&odd));
    show("odd", &odd);

    setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
    tzset();
    printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
    static const time_t changes[] = {1710053999, 1710054000, 1730613599, 1730613600};
    for (int i = 0; i < 4; i++)
        show("new york", localtime(&changes[i]));
    struct tm gap = {.tm_year = 124, .tm_mon = 6, .tm_mday = 4, .tm_hour = 12, .tm_isdst = -1};
    printf("summer noon %ld\n", (long)mktime(&gap));
    setenv("TZ", "IST-5:30", 1);
    tzset();
    show("delhi", localtime(&changes[0]));

    struct tm parsed;
    memset(&parsed, 0, sizeof parsed);
    const char *rest = strptime("Thu, 29 Feb 2024 23:59:58 tail", "%a, %d %b %Y %H:%M:%S", &parsed);
    show("parsed", &parsed);
    printf("rest '%s', bad %d\n", rest, strptime("hello", "%Y", &parsed) == NULL);
    printf("%.0f %s", difftime(1000000000, 999999000), asctime(&leap));
    char text[32];
    printf("%s", ctime_r(&moments[6], text));
    return 0;
}
