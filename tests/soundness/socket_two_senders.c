// steam: expect=assert
/* Two processes send to one socket; nobody knows who comes first. */
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            send(ends[1], &"ab"[i], 1, 0);
            _exit(0);
        }
    recv(ends[0], &byte, 1, 0);
    assert(byte == 'a'); /* ERROR */
    return 0;
}
