// steam: expect=assert
/* Of two that are ready, nobody knows which is told first. */
#include <assert.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2][2], watcher = epoll_create1(0);
    struct epoll_event event;
    for (int i = 0; i < 2; i++) {
        pipe(ends[i]);
        event = (struct epoll_event){.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(watcher, EPOLL_CTL_ADD, ends[i][0], &event);
        if (fork() == 0) {
            write(ends[i][1], "x", 1);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
    assert(epoll_wait(watcher, &event, 1, -1) == 1);
    assert(event.data.u32 == 0); /* ERROR */
    return 0;
}
