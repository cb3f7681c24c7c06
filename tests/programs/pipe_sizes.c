// steam: levels=O1
/* How many bytes pipes hold, and what fcntl says of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        errno = 0;                                                                                 \
        long answer = (call);                                                                      \
        printf("%s: %ld, %d\n", #call, answer, answer < 0 ? errno : 0);                            \
    } while (0)

static char much[1 << 21];

int main(void)
{
    int ends[2], null = open("/dev/null", O_RDONLY);
    if (pipe2(ends, O_NONBLOCK) != 0)
        return 1;
    TRY(fcntl(ends[0], F_GETPIPE_SZ));
    TRY(fcntl(ends[1], F_SETPIPE_SZ, 1));
    TRY(fcntl(ends[0], F_GETPIPE_SZ));
    TRY(write(ends[1], much, 5000));
    TRY(write(ends[1], much, 1));
    TRY(fcntl(ends[1], F_SETPIPE_SZ, 0));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, 4097));
    TRY(write(ends[1], much, 5000));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, 4096));
    TRY(read(ends[0], much, 4096));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, 4096));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, 65537));
    TRY(write(ends[1], much, sizeof much));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
    TRY(fcntl(ends[0], F_SETPIPE_SZ, -1));
    TRY(fcntl(null, F_GETPIPE_SZ));
    TRY(fcntl(null, F_SETPIPE_SZ, 4096));
    return 0;
}
