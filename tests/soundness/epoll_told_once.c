// steam: expect=deadlock
/* What is watched once is not told again before the program asks for it. */
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], watcher = epoll_create1(0);
    char byte;
    pipe(ends);
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
    epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event);
    if (fork() == 0) {
        write(ends[1], "a", 1);
        write(ends[1], "b", 1);
        _exit(0);
    }
    for (int i = 0; i < 2; i++) {
        epoll_wait(watcher, &event, 1, -1);
        read(ends[0], &byte, 1);
    }
    wait(0);
    return 0;
}
