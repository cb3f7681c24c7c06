// race: ticks 9 17
/* A 64-bit number is written in two halves on i386, and the reader may see one of each. */
#include <pthread.h>

static unsigned long long ticks = 0xffffffffULL;

static void *tick(void *unused)
{
    ticks++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, tick, NULL);
    unsigned long long now = ticks;
    pthread_join(thread, NULL);
    return now == 1;
}
