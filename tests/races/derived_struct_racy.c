// race: heap block of derived_struct_racy.c:32 25 36
/* A larger struct begins with one that has an atomic member: what lies after it is no element. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct base {
    atomic_int count;
    int kind;
};

struct box {
    struct base base;
    int plain;
    int other;
};

static struct base *shared;

static void *work(void *unused)
{
    struct base *base = shared;
    atomic_fetch_add(&base->count, 1);
    /* The offset is a multiple of the size of the base. */
    ((struct box *)base)->plain = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct box *box = calloc(1, sizeof *box);
    shared = &box->base;
    pthread_create(&thread, NULL, work, NULL);
    int seen = shared->count;
    seen += ((struct box *)shared)->plain;
    pthread_join(thread, NULL);
    free(box);
    return seen > 3;
}
