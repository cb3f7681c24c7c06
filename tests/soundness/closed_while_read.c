// steam: expect=assert
/* Who reads keeps what was closed meanwhile, and sees the end of its last writer. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *argument)
{
    char byte;
    assert(read(ends[0], &byte, 1) == -1);
    return argument;
}

int main(void)
{
    pthread_t receiver;
    pipe(ends);
    pthread_create(&receiver, 0, receive, 0);
    close(ends[0]);
    close(ends[1]);
    pthread_join(receiver, 0);
}
