// steam: expect=deadlock
/* Each of two processes waits for what the other would say next. */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
    if (fork() == 0) {
        close(ends[0]);
        recv(ends[1], &byte, 1, 0);
        send(ends[1], &byte, 1, 0);
        _exit(0);
    }
    close(ends[1]);
    recv(ends[0], &byte, 1, 0); /* ERROR */
    send(ends[0], &byte, 1, 0);
    wait(NULL);
    return 0;
}
