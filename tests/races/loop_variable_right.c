// no race
/* Each thread gets its number by value, in the pointer. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int seen[2];

static void *work(void *number)
{
    seen[(intptr_t)number]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
