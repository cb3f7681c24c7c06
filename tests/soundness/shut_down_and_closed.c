// steam: expect=none
/* Who waits is woken by shutdown, and who comes later finds the descriptor closed. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *argument)
{
    char byte;
    while (recv(ends[0], &byte, 1, 0) > 0)
        ;
    return argument;
}

int main(void)
{
    pthread_t receiver;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&receiver, 0, receive, 0);
    send(ends[1], "a", 1, 0);
    shutdown(ends[0], SHUT_RDWR);
    close(ends[0]);
    pthread_join(receiver, 0);
}
