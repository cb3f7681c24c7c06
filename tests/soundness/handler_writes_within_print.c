// steam: expect=none
/* A handler that may come in the middle of what main prints only writes. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void handle(int signal)
{
    (void)signal;
    write(1, "signal\n", 7);
}

static void *send(void *first)
{
    pthread_kill(*(pthread_t *)first, SIGUSR1);
    return NULL;
}

int main(void)
{
    pthread_t first = pthread_self(), thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, send, &first);
    printf("main\n");
    pthread_join(thread, NULL);
    return 0;
}
