// race: live.inner.hits 23 32
// race: live.inner.hits 23 34
/* A copy of a struct through a pointer, or of a member that is one, reads its atomic member like any other: not
 * atomically. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct inner {
    _Atomic int hits;
};

struct stats {
    int id;
    struct inner inner;
};

struct stats live, copies[2];

static void *count(void *argument)
{
    struct stats *stats = argument;
    atomic_store(&stats->inner.hits, 1);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    struct stats *volatile from = &live, *volatile to = copies;
    pthread_create(&thread, NULL, count, from);
    struct stats *p = from, *q = to;
    *q = *p;
    sched_yield();
    q[1].inner = p->inner;
    pthread_join(thread, NULL);
    return 0;
}
