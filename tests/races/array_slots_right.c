// no race
/* Each thread has its own cell of an array, and main adds them up. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 3 };
static int sums[THREADS];

static void *work(void *argument)
{
    int me = (intptr_t)argument;
    for (int i = 0; i <= me; i++)
        sums[me] += i;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int total = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        total += sums[i];
    }
    assert(total == 4);
    return 0;
}
