// no race
/* An array of atomics: each thread marks what it has seen. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char seen[3];

static void *mark(void *argument)
{
    int from = *(int *)argument;
    for (int i = from; i < from + 2; i++)
        atomic_store_explicit(&seen[i], 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int zero = 0, one = 1;
    pthread_create(&thread, NULL, mark, &zero);
    mark(&one);
    pthread_join(thread, NULL);
    assert(seen[0] && seen[1] && seen[2]);
    return 0;
}
