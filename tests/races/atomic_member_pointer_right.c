// no race
/* A pointer to an atomic member: what it points to is read and written atomically, though its line does not name
 * the member. */
#include <pthread.h>
#include <stdatomic.h>

struct stats {
    int id;
    _Atomic int hits;
};

static struct stats live;

static void *count(void *argument)
{
    struct stats *stats = argument;
    _Atomic int *p = &stats->hits;
    *p = *p + stats->id;
    return NULL;
}
int main(void)
{
    pthread_t thread;
    struct stats *volatile from = &live;
    pthread_create(&thread, NULL, count, from);
    struct stats *stats = from;
    _Atomic int *q = &stats->hits;
    int seen = *q;
    pthread_join(thread, NULL);
    return seen > 5;
}
