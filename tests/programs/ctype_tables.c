/* ctype.h over all characters, toupper/tolower, and the C locale's classes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*test)(int);
} classes[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
               {"lower", islower}, {"print", isprint}, {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};

static void ranges(const char *name, int (*test)(int))
{
    printf("%-7s", name);
    int start = -1, count = 0;
    for (int c = 0; c <= 256; c++) {
        int in = c < 256 && test(c) != 0;
        count += in;
        if (in && start < 0)
            start = c;
        if (!in && start >= 0) {
            printf(" %02x-%02x", start, c - 1);
            start = -1;
        }
    }
    printf(" (%d) EOF %d\n", count, test(EOF) != 0);
}

static void title_case(char *text)
{
    int start = 1;
    for (; *text; text++) {
        *text = (char)(start ? toupper((unsigned char)*text) : tolower((unsigned char)*text));
        start = !isalpha((unsigned char)*text);
    }
}

static void rot13(char *text)
{
    for (; *text; text++)
        if (isalpha((unsigned char)*text)) {
            int base = isupper((unsigned char)*text) ? 'A' : 'a';
            *text = (char)((*text - base + 13) % 26 + base);
        }
}

static int is_palindrome(const char *text)
{
    const char *end = text + strlen(text);
    while (text < end) {
        if (!isalnum((unsigned char)*text))
            text++;
        else if (!isalnum((unsigned char)end[-1]))
            end--;
        else if (tolower((unsigned char)*text++) != tolower((unsigned char)*--end))
            return 0;
    }
    return 1;
}

int main(void)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        ranges(classes[i].name, classes[i].test);
    int changed = 0;
    for (int c = 0; c < 256; c++)
        changed += (toupper(c) != c) + (tolower(c) != c) + (toupper(tolower(c)) != toupper(c)) + (toascii(c) != (c & 127));
    printf("changed %d, EOF stays %d\n", changed, toupper(EOF) == EOF && tolower(EOF) == EOF);
    char title[] = "the QUICK brown-fox o'hara 3RD";
    title_case(title);
    puts(title);
    char secret[] = "Hello, World! [xyz]";
    rot13(secret);
    puts(secret);
    rot13(secret);
    puts(secret);
    printf("%d %d\n", is_palindrome("A man, a plan, a canal: Panama!"), is_palindrome("not one"));

    const char *prose = "It was 1 of 7 lines;\tand\nthis is the 2nd.  Third?";
    int words = 0, digits = 0, spaces = 0, marks = 0, in = 0;
    for (const char *p = prose; *p; p++) {
        digits += isdigit((unsigned char)*p) != 0;
        spaces += isspace((unsigned char)*p) != 0;
        marks += ispunct((unsigned char)*p) != 0;
        int letter = isalnum((unsigned char)*p) != 0;
        words += letter && !in;
        in = letter;
    }
    printf("%d words, %d digits, %d spaces, %d marks\n", words, digits, spaces, marks);
    return 0;
}
