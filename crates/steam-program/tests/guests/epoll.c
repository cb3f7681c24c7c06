/* epoll: what is watched, what is told, level by level. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "call.h"

static int watcher;

static void look(int most)
{
    struct epoll_event told[4];
    int count = epoll_wait(watcher, told, most, 0), events = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        events |= told[i].events;
        sum += told[i].data.u32;
    }
    printf("%d: %x %d\n", count, events, sum);
}

int main(void)
{
    int one[2], other[2], file = open("/etc/passwd", O_RDONLY);
    char byte;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1};
    CALL(epoll_create(0));
    CALL(epoll_create1(12345));
    watcher = epoll_create1(EPOLL_CLOEXEC);
    CALL(fcntl(watcher, F_GETFD));
    pipe(one);
    socketpair(AF_UNIX, SOCK_STREAM, 0, other);
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, one[0], &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, one[0], &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_MOD, other[0], &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_DEL, other[0], &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, 77, &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, watcher, &event));
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, file, &event));
    CALL(epoll_ctl(one[0], EPOLL_CTL_ADD, other[0], &event));
    CALL(epoll_wait(watcher, &event, 0, 0));
    CALL(epoll_wait(watcher, &event, 1, 5));
    look(4);
    event.events = EPOLLIN | EPOLLOUT;
    event.data.u32 = 10;
    CALL(epoll_ctl(watcher, EPOLL_CTL_ADD, other[0], &event));
    look(4);
    write(one[1], "x", 1);
    look(4);
    look(4);
    event.events = EPOLLRDHUP;
    CALL(epoll_ctl(watcher, EPOLL_CTL_MOD, other[0], &event));
    look(4);
    close(other[1]);
    look(4);
    read(one[0], &byte, 1);
    look(1);
    int copy = dup(other[0]);
    close(other[0]);
    look(4);
    close(copy);
    look(4);
    CALL(epoll_ctl(watcher, EPOLL_CTL_DEL, one[0], NULL));
    write(one[1], "x", 1);
    look(4);
    return 0;
}
