// steam: expect=assert
/* Who reads a pipe goes on with it, though its descriptor stands for a file by then. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *argument)
{
    char byte = 0;
    read(ends[0], &byte, 1);
    assert(byte != 'p');
    return argument;
}

int main(void)
{
    pthread_t receiver;
    signal(SIGPIPE, SIG_IGN);
    int file = open("/tmp/steam-again", O_CREAT | O_RDWR, 0600);
    pipe(ends);
    pthread_create(&receiver, 0, receive, 0);
    dup2(file, ends[0]);
    write(ends[1], "p", 1);
    pthread_join(receiver, 0);
}
