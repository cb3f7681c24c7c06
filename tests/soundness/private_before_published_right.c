// steam: expect=none states=30
/* What is written before a block is published, and only read afterwards, by both threads, needs no step. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct table {
    int values[32];
};

static struct table *_Atomic published;

static int sum(struct table *table)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += ((volatile struct table *)table)->values[i];
    return sum;
}

static void *look(void *unused)
{
    (void)unused;
    struct table *table = published;
    assert(!table || sum(table) == 496);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    struct table *table = malloc(sizeof *table);
    for (int i = 0; i < 32; i++)
        ((volatile struct table *)table)->values[i] = i;
    published = table;
    assert(sum(table) == 496);
    pthread_join(thread, NULL);
    return 0;
}
