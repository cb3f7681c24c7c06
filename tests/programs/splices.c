// steam: levels=O1
/* Bytes that splice and tee move between pipes and files, what they answer, and what they refuse. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        errno = 0;                                                                                 \
        long answer = (call);                                                                      \
        printf("%s: %ld, %d\n", #call, answer, answer < 0 ? errno : 0);                            \
    } while (0)

static void show(int reader)
{
    char text[64];
    ssize_t size = read(reader, text, sizeof text);
    printf("read %zd: %.*s\n", size, size > 0 ? (int)size : 0, text);
}

int main(void)
{
    int a[2], b[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(a, 0) != 0 || pipe2(b, O_NONBLOCK) != 0)
        return 1;
    int file = memfd_create("file", 0);
    int null = open("/dev/null", O_WRONLY);
    if (write(file, "0123456789abcdef", 16) != 16)
        return 1;
    off64_t at = 4, far = 100;

    /* From a file, at a place of ours and at its own. */
    TRY(splice(file, &at, a[1], NULL, 6, 0));
    printf("at %lld, own %lld\n", (long long)at, (long long)lseek(file, 0, SEEK_CUR));
    TRY(splice(file, NULL, a[1], NULL, 6, 0));
    lseek(file, 14, SEEK_SET);
    TRY(splice(file, NULL, a[1], NULL, 6, SPLICE_F_MOVE | SPLICE_F_MORE));
    TRY(splice(file, &far, a[1], NULL, 6, 0));

    /* From pipe to pipe: what tee copies stays. */
    TRY(tee(a[0], b[1], 4, 0));
    TRY(splice(a[0], NULL, b[1], NULL, 3, 0));
    show(b[0]);
    show(a[0]);
    TRY(tee(a[0], b[1], 4, SPLICE_F_NONBLOCK));
    TRY(splice(a[0], NULL, b[1], NULL, 3, 0));
    show(b[0]);

    /* Into a file, and into nothing. */
    if (write(a[1], "ABCDEFGH", 8) != 8)
        return 1;
    at = 2;
    TRY(splice(a[0], NULL, file, &at, 3, 0));
    TRY(splice(a[0], NULL, file, NULL, 2, 0));
    TRY(splice(a[0], NULL, null, NULL, 100, 0));
    printf("at %lld, own %lld\n", (long long)at, (long long)lseek(file, 0, SEEK_CUR));
    lseek(file, 0, SEEK_SET);
    show(file);
    TRY(splice(a[0], NULL, file, NULL, 2, SPLICE_F_NONBLOCK));

    /* A pipe that is full. */
    static char much[65536];
    if (write(a[1], much, sizeof much) != sizeof much)
        return 1;
    TRY(splice(file, &at, a[1], NULL, 1, SPLICE_F_NONBLOCK));
    TRY(splice(a[0], NULL, b[1], NULL, 1 << 20, 0));
    TRY(splice(a[0], NULL, b[1], NULL, 1, 0));
    if (write(a[1], "x", 1) != 1)
        return 1;
    TRY(splice(a[0], NULL, b[1], NULL, 1, 0));
    TRY(tee(a[0], b[1], 1, 0));

    /* What is refused. */
    TRY(splice(file, NULL, null, NULL, 4, 0));
    TRY(splice(a[0], NULL, a[1], NULL, 4, 0));
    TRY(splice(a[0], &at, file, NULL, 4, 0));
    TRY(splice(file, NULL, a[1], &at, 4, 0));
    TRY(splice(file, NULL, a[0], NULL, 4, 0));
    TRY(splice(a[1], NULL, file, NULL, 4, 0));
    TRY(splice(99, NULL, a[1], NULL, 4, 0));
    TRY(splice(99, NULL, a[1], NULL, 0, 0));
    TRY(splice(file, NULL, a[1], NULL, 4, 1024));
    TRY(tee(a[0], file, 4, 0));
    TRY(tee(a[0], a[1], 4, 0));
    TRY(tee(a[0], b[1], 0, 0));
    TRY(tee(a[0], b[1], 4, 1024));
    fcntl(file, F_SETFL, O_APPEND);
    TRY(splice(a[0], NULL, file, NULL, 4, 0));

    /* Nobody writes any more, and nobody reads. */
    show(a[0]);
    close(a[1]);
    TRY(splice(a[0], NULL, b[1], NULL, 4, 0));
    TRY(tee(a[0], b[1], 4, 0));
    TRY(splice(a[0], NULL, null, NULL, 4, 0));
    close(b[0]);
    TRY(splice(a[0], NULL, b[1], NULL, 4, 0));
    TRY(splice(file, NULL, b[1], NULL, 4, 0));
    return 0;
}
