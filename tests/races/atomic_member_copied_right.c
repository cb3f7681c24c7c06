// no race
/* The members of a struct are copied one by one, the atomic one atomically. */
#include <pthread.h>
#include <stdatomic.h>

struct stats {
    int id;
    _Atomic int hits[2];
};

static struct stats live, snapshot;

static void *count(void *unused)
{
    (void)unused;
    atomic_store(&live.hits[1], 1);
    live.hits[0]++;
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    snapshot.id = live.id;
    snapshot.hits[1] = live.hits[1];
    snapshot.hits[0] = live.hits[0];
    pthread_join(thread, NULL);
    return 0;
}
