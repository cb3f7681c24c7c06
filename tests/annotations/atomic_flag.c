// steam: expect=none
// settles a race
/* A volatile flag that is meant for communication, set by single stores. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile int ready;

static void *wait(void *unused)
{
    while (!ready)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    STEAM_ATOMIC(ready);
    pthread_create(&thread, NULL, wait, NULL);
    ready = 1;
    pthread_join(thread, NULL);
    return 0;
}
