// steam: expect=race
/* Of memory that may become another object's the claim counts for nothing. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <steam.h>

static volatile int *counter;

static void *set(void *unused)
{
    *counter = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    counter = malloc(sizeof *counter);
    STEAM_ATOMIC(*counter);
    pthread_create(&thread, NULL, set, NULL);
    set(NULL);
    pthread_join(thread, NULL);
    free((void *)counter);
    return 0;
}
