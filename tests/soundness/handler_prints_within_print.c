// steam: expect=async-signal-unsafe
/* A handler prints, and may come in the middle of what main prints. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static void handle(int signal)
{
    printf("signal %d\n", signal);
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
