// steam: expect=none
/* Two processes send before they receive, and what they send fits into buffers of that size. */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    static char bytes[8000];
    int ends[2], size = 10000;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    for (int i = 0; i < 2; i++)
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    int child = fork(), own = ends[child == 0];
    write(own, bytes, sizeof bytes);
    for (int all = 0; all < (int)sizeof bytes;)
        all += read(own, bytes, sizeof bytes);
    if (child == 0)
        _exit(0);
    wait(NULL);
    return 0;
}
