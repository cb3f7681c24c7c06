// steam: expect=assert
/* What is closed here is still open in a process that was forked meanwhile, so it is still watched. */
#include <assert.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int watcher = epoll_create1(0), sum = 0;
    for (int i = 0; i < 2; i++) {
        int ends[2];
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        if (fork() == 0) {
            close(ends[0]);
            write(ends[1], &"ab"[i], 1);
            _exit(0);
        }
        close(ends[1]);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
        epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event);
    }
    for (int open = 2; open > 0;) {
        struct epoll_event told[2];
        int count = epoll_wait(watcher, told, 2, -1);
        for (int i = 0; i < count; i++) {
            char byte;
            if (read(told[i].data.fd, &byte, 1) == 1) {
                sum += byte;
            } else {
                close(told[i].data.fd);
                open--;
            }
        }
    }
    assert(sum == 'a' + 'b'); /* ERROR */
    while (wait(NULL) > 0)
        ;
    return 0;
}
