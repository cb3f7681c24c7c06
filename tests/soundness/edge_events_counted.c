// steam: expect=none
/* Two events before the wait are told as one, and all that was counted is taken. */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *post(void *unused)
{
    eventfd_write(counter, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    int watcher = epoll_create1(0);
    counter = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(watcher, EPOLL_CTL_ADD, counter, &event);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, post, NULL);
    for (int i = 0; i < 2;) {
        eventfd_t value;
        epoll_wait(watcher, &event, 1, -1);
        while (eventfd_read(counter, &value) == 0)
            i++;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
