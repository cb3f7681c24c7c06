// steam: expect=assert
/* Another thread chooses the processors of the first one between two looks at them. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static void *choose(void *unused)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(getpid(), sizeof one, &one);
    return unused;
}

int main(void)
{
    cpu_set_t before, after;
    pthread_t thread;
    CPU_ZERO(&before);
    CPU_ZERO(&after);
    pthread_create(&thread, NULL, choose, NULL);
    sched_getaffinity(0, sizeof before, &before);
    sched_getaffinity(0, sizeof after, &after);
    assert(CPU_COUNT(&before) == CPU_COUNT(&after));
    pthread_join(thread, NULL);
    return 0;
}
