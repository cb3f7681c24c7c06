/* Pipes, poll and select. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>
#include "call.h"

static int ends[2];
static char big[200000];

static void *drain(void *unused)
{
    char part[5000];
    long total = 0, sum = 0;
    for (int count; (count = read(ends[0], part, sizeof part)) > 0; total += count)
        for (int i = 0; i < count; i++)
            sum += part[i];
    printf("drained %ld, sum %ld\n", total, sum);
    return unused;
}

static void watch(void)
{
    struct pollfd wanted[3] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {50, POLLIN, 0}};
    CALL(poll(wanted, 2, 0));
    printf("%d %d\n", wanted[0].revents, wanted[1].revents);
    CALL(poll(wanted, 3, -1));
    printf("%d\n", wanted[2].revents);
    wanted[0].events = POLLIN;
    CALL(poll(wanted, 1, 10));
    fd_set readers, writers;
    struct timeval soon = {0, 1000};
    FD_ZERO(&readers);
    FD_ZERO(&writers);
    FD_SET(ends[0], &readers);
    FD_SET(ends[1], &writers);
    CALL(select(ends[1] + 1, &readers, &writers, NULL, &soon));
    printf("%d %d\n", FD_ISSET(ends[0], &readers), FD_ISSET(ends[1], &writers));
    FD_ZERO(&readers);
    FD_SET(60, &readers);
    CALL(select(61, &readers, NULL, NULL, &soon));
    CALL(select(0, NULL, NULL, NULL, &soon));
    struct timespec moment = {0, 1000};
    CALL(ppoll(wanted, 1, &moment, NULL));
    CALL(pselect(0, NULL, NULL, NULL, &moment, NULL));
}

int main(void)
{
    char text[20] = "";
    struct stat status;
    signal(SIGPIPE, SIG_IGN);
    CALL(pipe(ends));
    CALL(fstat(ends[0], &status));
    printf("%o\n", status.st_mode);
    watch();
    CALL(write(ends[1], "twelve bytes", 12));
    watch();
    CALL(read(ends[0], text, 6));
    CALL(read(ends[0], text, 20));
    CALL(lseek(ends[0], 0, SEEK_SET));
    CALL(fcntl(ends[0], F_SETFL, O_NONBLOCK));
    CALL(read(ends[0], text, 20));
    CALL(fcntl(ends[0], F_SETFL, 0));
    memset(big, 1, sizeof big);
    pthread_t thread;
    pthread_create(&thread, NULL, drain, NULL);
    CALL(write(ends[1], big, sizeof big));
    CALL(close(ends[1]));
    pthread_join(thread, NULL);
    CALL(read(ends[0], text, 20));
    struct pollfd closed = {ends[0], POLLIN, 0};
    CALL(poll(&closed, 1, -1));
    printf("%d\n", closed.revents);
    close(ends[0]);
    CALL(pipe2(ends, O_NONBLOCK | O_CLOEXEC));
    int written = 0;
    for (int count; (count = write(ends[1], big, 4096)) > 0;)
        written += count;
    printf("%d\n", written);
    CALL(close(ends[0]));
    CALL(write(ends[1], "x", 1));
    CALL(pipe2(ends, 12345));
    CALL(pipe((int *)1));
    return 0;
}
