// steam: expect=none
/* BEGINATOMIC and ENDATOMIC: the update is one step, so that none gets lost. (Natively the block is
 * not atomic, and VASSERT is nothing.) */
#include <pthread.h>
#include <stddef.h>

#include "steam.h"

static int count;

static void *work(void *unused)
{
    (void)unused;
    BEGINATOMIC
    count++;
    ENDATOMIC
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VASSERT(count == 2);
    return 0;
}
