// race: live.hits 16 23
/* A copy of a struct reads its atomic member like any other: not atomically. */
#include <pthread.h>
#include <stdatomic.h>

struct stats {
    int id;
    _Atomic int hits;
};

static struct stats live, snapshot;

static void *count(void *unused)
{
    (void)unused;
    atomic_store(&live.hits, 1);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    snapshot = live;
    pthread_join(thread, NULL);
    return snapshot.id + snapshot.hits > 5;
}
