/* POSIX message queues: attributes, priorities, waiting, names. */
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "call.h"

#define NAME "/steam-message-queues-test"

static char text[9000];

static void show(mqd_t queue)
{
    unsigned priority = 0;
    int count = mq_receive(queue, text, sizeof text, &priority);
    printf("%d: %.*s, %u\n", count, count > 0 ? count : 0, text, priority);
}

static void attributes(mqd_t queue)
{
    struct mq_attr now;
    CALL(mq_getattr(queue, &now));
    printf("%lx %ld %ld %ld\n", now.mq_flags, now.mq_maxmsg, now.mq_msgsize, now.mq_curmsgs);
}

static void ready(mqd_t queue)
{
    struct pollfd one = {queue, POLLIN | POLLOUT, 0};
    int count = poll(&one, 1, 0);
    printf("ready %d %x\n", count, one.revents);
}

static void *later(void *unused)
{
    mqd_t queue = mq_open(NAME, O_WRONLY);
    for (int i = 0; i < 15; i++) {
        char digit = 'a' + i;
        mq_send(queue, &digit, 1, 3);
    }
    mq_close(queue);
    return unused;
}

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 20};
    struct timespec past = {1, 0}, wrong = {1, -1}, soon;
    mq_unlink(NAME);
    CALL(mq_open(NAME, O_RDWR));
    mqd_t queue = mq_open(NAME, O_CREAT | O_RDWR, 0600, NULL);
    printf("%d\n", queue >= 0);
    CALL(mq_open(NAME, O_CREAT | O_EXCL | O_RDWR, 0600, NULL));
    CALL(mq_open("/a/b", O_CREAT | O_RDWR, 0600, NULL));
    CALL(mq_open("none", O_RDWR));
    attributes(queue);
    ready(queue);
    CALL(fcntl(queue, F_GETFD));
    CALL(mq_send(queue, "low", 3, 1));
    CALL(mq_send(queue, "high", 4, 9));
    CALL(mq_send(queue, "", 0, 1));
    CALL(mq_send(queue, "high too", 8, 9));
    CALL(mq_send(queue, "x", 1, 32768));
    CALL(mq_send(queue, text, 8193, 0));
    CALL(mq_receive(queue, text, 8191, NULL));
    ready(queue);
    attributes(queue);
    for (int i = 0; i < 4; i++)
        show(queue);
    CALL(mq_timedreceive(queue, text, sizeof text, NULL, &past));
    CALL(mq_timedreceive(queue, text, sizeof text, NULL, &wrong));
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec = (soon.tv_nsec + 20000000) % 1000000000;
    soon.tv_sec += soon.tv_nsec < 20000000;
    CALL(mq_timedreceive(queue, text, sizeof text, NULL, &soon));
    pthread_t thread;
    pthread_create(&thread, NULL, later, NULL);
    for (int i = 0; i < 15; i++)
        show(queue);
    pthread_join(thread, NULL);
    struct mq_attr flags = {.mq_flags = O_NONBLOCK}, before;
    CALL(mq_setattr(queue, &flags, &before));
    printf("%lx\n", before.mq_flags);
    attributes(queue);
    CALL(mq_receive(queue, text, sizeof text, NULL));
    mqd_t reader = mq_open(NAME, O_RDONLY), writer = mq_open(NAME, O_WRONLY);
    CALL(mq_send(reader, "x", 1, 0));
    CALL(mq_receive(writer, text, sizeof text, NULL));
    CALL(mq_unlink(NAME));
    CALL(mq_unlink(NAME));
    CALL(mq_send(writer, "unlinked", 8, 0));
    show(reader);
    CALL(mq_close(reader));
    CALL(mq_close(writer));
    CALL(mq_close(queue));
    CALL(mq_close(queue));
    queue = mq_open(NAME, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &small);
    attributes(queue);
    CALL(mq_send(queue, "one", 3, 0));
    CALL(mq_send(queue, "two", 3, 0));
    CALL(mq_send(queue, "three", 5, 0));
    ready(queue);
    small.mq_maxmsg = 0;
    CALL(mq_open("/steam-other", O_CREAT | O_RDWR, 0600, &small));
    CALL(mq_getattr(0, &before));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        mqd_t own = mq_open(NAME, O_RDWR);
        int first = mq_receive(own, text, sizeof text, NULL);
        int second = mq_receive(queue, text, sizeof text, NULL);
        _exit(10 * first + second);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    attributes(queue);
    CALL(mq_unlink(NAME));
    return 0;
}
