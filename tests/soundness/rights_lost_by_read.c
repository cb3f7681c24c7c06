// steam: expect=assert with=rights.h
/* A plain read drops the descriptor that came with its byte: the pipe has its end then, whoever is first. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rights.h"

static int ends[2], tube[2];

static void *drop(void *unused)
{
    char byte;
    read(ends[1], &byte, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pipe(tube);
    give(ends[0], tube[0]);
    close(tube[0]);
    pthread_create(&thread, NULL, drop, NULL);
    signal(SIGPIPE, SIG_IGN);
    assert(write(tube[1], "x", 1) == 1); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
