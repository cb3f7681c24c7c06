// steam: expect=none
/* Handlers that print and allocate where nothing of the kind is interrupted: the signal is blocked while
 * main does so, comes to a wait, or is main's own. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handle(int signal)
{
    printf("signal %d\n", signal);
    free(malloc(4));
}

static void *send(void *first)
{
    pthread_kill(*(pthread_t *)first, SIGUSR1);
    return NULL;
}

int main(void)
{
    pthread_t first = pthread_self(), thread;
    sigset_t blocked, usual;
    void *block;
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, &usual);
    pthread_create(&thread, NULL, send, &first);
    printf("main\n");
    block = malloc(8);
    sigsuspend(&usual);
    free(block);
    raise(SIGUSR2);
    printf("main\n");
    pthread_join(thread, NULL);
    return 0;
}
