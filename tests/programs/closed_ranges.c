/* close_range: which ranges and flags it takes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s: %ld %s\n", what, result, result ? strerror(errno) : "");
}

int main(void)
{
    int first = dup(1), second = dup(1);
    show("backwards", syscall(436, second, first, 0));
    show("unknown flag", syscall(436, first, second, 0x4000));
    show("nothing there", syscall(436, 0x7fffffff, 0xffffffff, 0));
    show("marked", syscall(436, first, first, 4));
    printf("flags %d and %d\n", fcntl(first, F_GETFD), fcntl(second, F_GETFD));
    show("its own table", syscall(436, second, second, 2));
    show("closed", fcntl(second, F_GETFD));
    return 0;
}
