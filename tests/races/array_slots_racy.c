// race: sums[1] 11 11
/* The cell is chosen by the number modulo the size, and there are more threads than cells. */
#include <pthread.h>
#include <stdint.h>

static int sums[2];

static void *work(void *argument)
{
    intptr_t me = (intptr_t)argument;
    sums[me % 2] += 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return sums[0] != 1;
}
