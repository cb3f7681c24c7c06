// steam: expect=annotation
/* One instruction, and yet not atomic: it reads and writes without locking the bus. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static int counter;

static void *add(void *unused)
{
    __asm__ __volatile__("addl $1, %0" : "+m"(counter)); /* ERROR */
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
