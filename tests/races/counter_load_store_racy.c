// steam: levels=O0
// race: counter 11 12
// race: counter 12 12
/* The read and the write of an addition on lines of their own: two reads alone are no race. */
#include <pthread.h>

static int counter;

static void *add(void *amount)
{
    int old = counter;
    counter = old + *(int *)amount;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int amounts[2] = {1, 10};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return counter == 0;
}
