// steam: expect=none
/* VLOCK and VUNLOCK: any object serves as a lock, here the counter itself. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "steam.h"

static int count;

static void *work(void *unused)
{
    (void)unused;
    VLOCK(&count);
    count++;
    VUNLOCK(&count);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
