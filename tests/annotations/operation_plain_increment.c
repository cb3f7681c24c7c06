// steam: expect=annotation racy
/* No lock protects the counter: an increment reads it and then writes it. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile int counter;

static void *work(void *unused)
{
    STEAM_OPERATION(&counter);
    counter++; /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
