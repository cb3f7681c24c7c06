// steam: expect=assert
/* Two rounds with one barrier each: a fast thread starts the second round while the slow one still
 * adds up the first. A second barrier is missing. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int parts[2];

static void *compute(void *argument)
{
    int self = *(int *)argument;
    for (int round = 1; round <= 2; round++) {
        parts[self] = round;
        pthread_barrier_wait(&barrier);
        assert(parts[1 - self] == round); /* ERROR */
    }
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
    return 0;
}
