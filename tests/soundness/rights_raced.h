/* Two threads receive from one socket, on which the writing ends of two pipes come: `got` has what each received. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#include "rights.h"

static int ends[2], tube[2][2], got[2];

static void *receive(void *number)
{
    got[(long)number] = take(ends[1]);
    return NULL;
}

/* What comes through the first pipe if each thread writes its number to what it received. */
static char first_through(void)
{
    pthread_t threads[2];
    char byte;
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    for (long i = 0; i < 2; i++) {
        pipe(tube[i]);
        give(ends[0], tube[i][1]);
        close(tube[i][1]);
        pthread_create(&threads[i], NULL, receive, (void *)i);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] >= 0 && got[1] >= 0 && got[0] != got[1]);
    write(got[0], "0", 1);
    write(got[1], "1", 1);
    read(tube[0][0], &byte, 1);
    return byte;
}
