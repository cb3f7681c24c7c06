// steam: expect=none
/* A thread waits in a loop for a word of which a search does not know yet that it is shared. */
#include <pthread.h>
#include <stddef.h>

static volatile int flag;

static void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!flag)
        ;
    pthread_join(thread, NULL);
    return 0;
}
