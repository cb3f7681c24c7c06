// steam: expect=none
/* Two threads in two phases: nobody adds up before both have filled in their part. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int parts[2], sums[2], serial;

static void *compute(void *argument)
{
    int self = *(int *)argument;
    parts[self] = self + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    sums[self] = parts[0] + parts[1];
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compute, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    assert(sums[0] == 3 && sums[1] == 3 && serial == 1);
    return 0;
}
