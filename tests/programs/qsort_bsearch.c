/* qsort and bsearch with comparators over ints, strings, structures and pointers; qsort_r; lfind, tsearch. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
    double height;
};

static unsigned seed = 12345;
static unsigned next_random(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

static int calls;
static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    return (x > y) - (x < y);
}
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age_then_name(const void *a, const void *b)
{
    const struct person *p = a, *q = b;
    if (p->age != q->age)
        return p->age < q->age ? -1 : 1;
    return strcmp(p->name, q->name);
}
static int by_height(const void *a, const void *b)
{
    double x = ((const struct person *)a)->height, y = ((const struct person *)b)->height;
    return x < y ? 1 : x > y ? -1 : 0;
}
static int by_digit(const void *a, const void *b, void *where)
{
    int modulus = *(int *)where;
    int x = *(const int *)a % modulus, y = *(const int *)b % modulus;
    return x != y ? x - y : by_int(a, b);
}
static void visit(const void *node, VISIT which, int depth)
{
    if (which == postorder || which == leaf)
        printf("%s/%d ", *(char *const *)node, depth);
}
static int plain_strcmp(const void *a, const void *b) { return strcmp(a, b); }

int main(void)
{
    int numbers[1000], sorted = 1;
    for (int i = 0; i < 1000; i++)
        numbers[i] = (int)(next_random() % 5000) - 2500;
    qsort(numbers, 1000, sizeof *numbers, by_int);
    for (int i = 1; i < 1000; i++)
        sorted &= numbers[i - 1] <= numbers[i];
    printf("sorted %d with %d comparisons: %d %d %d\n", sorted, calls, numbers[0], numbers[500], numbers[999]);

    int found = 0;
    for (int key = -2500; key < 2500; key++) {
        int *hit = bsearch(&key, numbers, 1000, sizeof *numbers, by_int);
        if (hit) {
            if (*hit != key)
                printf("wrong hit for %d\n", key);
            found++;
        }
    }
    printf("found %d distinct values\n", found);

    const char *words[] = {"pear", "apple", "fig", "quince", "banana", "cherry", "date", "elderberry", "grape"};
    size_t count = sizeof words / sizeof *words;
    qsort(words, count, sizeof *words, by_string);
    for (size_t i = 0; i < count; i++)
        printf("%s ", words[i]);
    const char *wanted = "fig";
    const char **hit = bsearch(&wanted, words, count, sizeof *words, by_string);
    printf("| fig at %d\n", (int)(hit - words));

    struct person people[] = {{"Ada", 36, 1.65}, {"Bob", 25, 1.80}, {"Cyd", 36, 1.72}, {"Dee", 19, 1.58}, {"Eve", 25, 1.69}};
    qsort(people, 5, sizeof *people, by_age_then_name);
    for (int i = 0; i < 5; i++)
        printf("%s(%d) ", people[i].name, people[i].age);
    qsort(people, 5, sizeof *people, by_height);
    printf("| tallest %s %.2f\n", people[0].name, people[0].height);

    int modulus = 7;
    qsort_r(numbers, 20, sizeof *numbers, by_digit, &modulus);
    for (int i = 0; i < 20; i++)
        printf("%d ", numbers[i]);
    putchar('\n');

    size_t n = 20;
    int key = numbers[13];
    int *linear = lfind(&key, numbers, &n, sizeof *numbers, by_int);
    printf("lfind at %d\n", (int)(linear - numbers));

    void *root = NULL;
    for (size_t i = 0; i < count; i++)
        tsearch(words[(i * 4) % count], &root, plain_strcmp);
    twalk(root, visit);
    printf("\nfind %s %s\n", *(char **)tfind("date", &root, plain_strcmp), tfind("kiwi", &root, plain_strcmp) ? "?" : "none");
    tdelete("apple", &root, plain_strcmp);
    while (root)
        tdelete(*(char **)root, &root, plain_strcmp);
    return 0;
}
