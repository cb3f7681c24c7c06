// race: cells[0] 16 17
// race: cells[1] 16 17
/* Two rounds of a simulation with one barrier only: a fast thread begins its second round while the
 * slow one still reads the first. */
#include <pthread.h>

static pthread_barrier_t written;
static int cells[2];
static int sums[2];

static void *step(void *argument)
{
    int me = *(int *)argument;
    cells[me] = 1;
    pthread_barrier_wait(&written);
    sums[me] = cells[1 - me];
    cells[me] = 2;
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
    return sums[0] + sums[1] > 4;
}
