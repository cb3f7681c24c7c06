// steam: expect=assert
/* One edge is told to one of two who wait at the same epoll: the other one waits on. */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int watcher, ends[2], by[2];

static void *serve(void *number)
{
    struct epoll_event event;
    epoll_wait(watcher, &event, 1, -1);
    by[(long)number] = 1;
    write(ends[1], "x", 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    watcher = epoll_create1(0);
    pipe(ends);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, (void *)i);
    write(ends[1], "a", 1);
    pthread_join(threads[0], NULL);
    assert(!by[1]); /* ERROR */
    pthread_join(threads[1], NULL);
    return 0;
}
