// steam: stdin=@fixtures/prose.txt
/* A chained hash table that grows: word counts of a text on standard input, deletion, iteration. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    uint32_t hash;
    int count;
    char key[];
};
struct table {
    struct entry **buckets;
    size_t size, used;
    int resizes;
};

static uint32_t fnv(const char *key)
{
    uint32_t hash = 2166136261u;
    while (*key)
        hash = (hash ^ (unsigned char)*key++) * 16777619u;
    return hash;
}

static void table_init(struct table *t)
{
    t->size = 8;
    t->used = 0;
    t->resizes = 0;
    t->buckets = calloc(t->size, sizeof *t->buckets);
}

static void table_grow(struct table *t)
{
    size_t size = t->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash & (size - 1)];
            buckets[e->hash & (size - 1)] = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
    t->resizes++;
}

static struct entry *table_add(struct table *t, const char *key)
{
    uint32_t hash = fnv(key);
    for (struct entry *e = t->buckets[hash & (t->size - 1)]; e; e = e->next)
        if (e->hash == hash && strcmp(e->key, key) == 0) {
            e->count++;
            return e;
        }
    if (t->used >= t->size * 3 / 4)
        table_grow(t);
    struct entry *e = malloc(sizeof *e + strlen(key) + 1);
    strcpy(e->key, key);
    e->hash = hash;
    e->count = 1;
    struct entry **bucket = &t->buckets[hash & (t->size - 1)];
    e->next = *bucket;
    *bucket = e;
    t->used++;
    return e;
}

static int table_remove(struct table *t, const char *key)
{
    uint32_t hash = fnv(key);
    for (struct entry **link = &t->buckets[hash & (t->size - 1)]; *link; link = &(*link)->next)
        if ((*link)->hash == hash && strcmp((*link)->key, key) == 0) {
            struct entry *gone = *link;
            *link = gone->next;
            free(gone);
            t->used--;
            return 1;
        }
    return 0;
}

static int by_count(const void *a, const void *b)
{
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->key, y->key);
}

int main(void)
{
    struct table t;
    table_init(&t);
    char word[64];
    int c, length = 0, total = 0;
    do {
        c = getchar();
        if (c != EOF && (isalpha(c) || c == '\'') && length < 63)
            word[length++] = (char)tolower(c);
        else if (length) {
            word[length] = 0;
            length = 0;
            total++;
            table_add(&t, word);
        }
    } while (c != EOF);
    printf("%d words, %zu distinct, %zu buckets after %d resizes\n", total, t.used, t.size, t.resizes);

    struct entry **all = malloc(t.used * sizeof *all);
    size_t n = 0, longest = 0;
    for (size_t i = 0; i < t.size; i++) {
        size_t chain = 0;
        for (struct entry *e = t.buckets[i]; e; e = e->next, chain++)
            all[n++] = e;
        longest = chain > longest ? chain : longest;
    }
    qsort(all, n, sizeof *all, by_count);
    for (size_t i = 0; i < 12 && i < n; i++)
        printf("%4d %s\n", all[i]->count, all[i]->key);
    printf("longest chain %zu\n", longest);
    free(all);
    printf("%d %d\n", table_remove(&t, "the"), table_remove(&t, "the"));
    for (int i = 0; i < 5000; i++) {
        snprintf(word, sizeof word, "key%d", i * 7919 % 10007);
        table_add(&t, word);
        if (i % 3 == 0) {
            snprintf(word, sizeof word, "key%d", i);
            table_remove(&t, word);
        }
    }
    printf("%zu entries, %zu buckets\n", t.used, t.size);
    for (size_t i = 0; i < t.size; i++)
        while (t.buckets[i])
            table_remove(&t, t.buckets[i]->key);
    free(t.buckets);
    printf("%zu left\n", t.used);
    return 0;
}
