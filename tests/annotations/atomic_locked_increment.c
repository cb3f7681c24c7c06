// steam: expect=none
// settles a race
/* The same with a lock, and plain loads. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile int counter;

static void *add(void *unused)
{
    __asm__ __volatile__("lock addl $1, %0" : "+m"(counter));
    int seen = counter;
    VASSERT(seen == 1 || seen == 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    STEAM_ATOMIC(counter);
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
