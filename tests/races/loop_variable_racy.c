// steam: levels=O0
// race: main::i 8 15
/* Each thread gets the address of the loop's variable instead of its value. */
#include <pthread.h>

static void *work(void *number)
{
    int me = *(int *)number;
    return me > 2 ? number : NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
