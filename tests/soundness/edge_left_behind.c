// steam: expect=deadlock
/* Who is told of edges and leaves a byte is not told of it again: it waits, and so does who wants an answer. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], watcher = epoll_create1(0), count = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (fork() == 0) {
        char answer;
        write(ends[1], "ab", 2);
        write(ends[1], "c", 1);
        read(ends[1], &answer, 1);
        _exit(0);
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event);
    while (count < 3) {
        char byte;
        assert(epoll_wait(watcher, &event, 1, -1) == 1);
        if (read(ends[0], &byte, 1) == 1)
            count++;
    }
    write(ends[0], "!", 1);
    wait(NULL);
    return 0;
}
