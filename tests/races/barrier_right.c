// no race
/* Each thread writes its cell, and reads the neighbour's after the barrier. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t written;
static int cells[2];

static void *step(void *argument)
{
    int me = *(int *)argument;
    cells[me] = me + 1;
    pthread_barrier_wait(&written);
    assert(cells[1 - me] == 2 - me);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    pthread_barrier_init(&written, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, step, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&written);
    return 0;
}
