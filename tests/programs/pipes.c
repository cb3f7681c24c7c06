/* Pipes inside one process: capacity-free talk, end of file, poll and select, O_NONBLOCK, SIGPIPE ignored. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static const char *error_name(int e) { return e == EAGAIN ? "EAGAIN" : e == EPIPE ? "EPIPE" : e == EBADF ? "EBADF" : "other"; }

static void readiness(int reader, int writer)
{
    struct pollfd watched[2] = {{reader, POLLIN, 0}, {writer, POLLOUT, 0}};
    int n = poll(watched, 2, 0);
    printf("poll %d: in %d out %d hup %d", n, (watched[0].revents & POLLIN) != 0, (watched[1].revents & POLLOUT) != 0, (watched[0].revents & POLLHUP) != 0);
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(reader, &readable);
    struct timeval none = {0, 0};
    n = select(reader + 1, &readable, NULL, NULL, &none);
    printf(", select %d %d\n", n, FD_ISSET(reader, &readable) != 0);
}

int main(void)
{
    int ends[2];
    char text[128];
    printf("pipe %d\n", pipe(ends));
    readiness(ends[0], ends[1]);
    printf("wrote %zd\n", write(ends[1], "first,", 6));
    printf("wrote %zd\n", write(ends[1], "second", 6));
    readiness(ends[0], ends[1]);
    ssize_t n = read(ends[0], text, 5);
    printf("read %zd %.*s\n", n, (int)n, text);
    n = read(ends[0], text, sizeof text);
    printf("read %zd %.*s\n", n, (int)n, text);
    readiness(ends[0], ends[1]);
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    n = read(ends[0], text, 1);
    printf("empty %zd %s\n", n, error_name(errno));
    n = write(ends[0], "x", 1);
    printf("wrong end %zd %s\n", n, error_name(errno));
    n = lseek(ends[0], 0, SEEK_SET);
    printf("seek %zd %d\n", n, errno == ESPIPE);

    FILE *in = fdopen(ends[0], "r"), *out = fdopen(ends[1], "w");
    fprintf(out, "%d %s %.2f\n", 42, "through a stream", 2.5);
    fflush(out);
    printf("%s", fgets(text, sizeof text, in));
    fputs("last words", out);
    fclose(out);
    printf("%s, then ", fgets(text, sizeof text, in));
    printf("%s\n", fgets(text, sizeof text, in) ? "more" : "the end");
    fclose(in);

    signal(SIGPIPE, SIG_IGN);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 1;
    printf("cloexec %d\n", fcntl(ends[0], F_GETFD) & FD_CLOEXEC);
    close(ends[0]);
    n = write(ends[1], "x", 1);
    printf("nobody reads: %zd %s\n", n, error_name(errno));
    close(ends[1]);

    /* A pipe as a queue of messages: a sieve of primes in which each stage is a pipe. */
    int stage[2];
    if (pipe(stage) != 0)
        return 1;
    for (int i = 2; i < 60; i++)
        if (write(stage[1], &i, sizeof i) != sizeof i)
            return 1;
    close(stage[1]);
    for (int prime; read(stage[0], &prime, sizeof prime) == sizeof prime;) {
        int next[2], value;
        printf("%d ", prime);
        if (pipe(next) != 0)
            return 1;
        while (read(stage[0], &value, sizeof value) == sizeof value)
            if (value % prime && write(next[1], &value, sizeof value) != sizeof value)
                return 1;
        close(stage[0]);
        close(next[1]);
        stage[0] = next[0];
    }
    putchar('\n');

    int saved = dup(1);
    if (pipe(ends) != 0)
        return 1;
    fflush(stdout);
    dup2(ends[1], 1);
    printf("captured output");
    fflush(stdout);
    dup2(saved, 1);
    close(ends[1]);
    n = read(ends[0], text, sizeof text);
    printf("got '%.*s'\n", (int)n, text);
    return 0;
}
