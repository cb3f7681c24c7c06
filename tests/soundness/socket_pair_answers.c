// steam: expect=none
/* A process asks another one over a pair of sockets, and has an answer to each question. */
#include <assert.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], number = 0, status;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        close(ends[0]);
        while (read(ends[1], &number, sizeof number) == sizeof number) {
            number *= 2;
            write(ends[1], &number, sizeof number);
        }
        _exit(0);
    }
    close(ends[1]);
    for (int i = 1; i <= 2; i++) {
        write(ends[0], &i, sizeof i);
        assert(read(ends[0], &number, sizeof number) == sizeof number && number == 2 * i);
    }
    close(ends[0]);
    assert(wait(&status) > 0 && status == 0);
    return 0;
}
