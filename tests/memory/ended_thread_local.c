// steam: error=use-after-return
/* A thread leaves the address of a variable of its function, and ends. Nobody has joined it yet, so that its
 * stack is still mapped. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int *volatile shown;

static void *work(void *unused)
{
    int count = 7;
    shown = &count;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (shown == NULL)
        usleep(1000);
    usleep(1000);
    printf("%d\n", *shown); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
