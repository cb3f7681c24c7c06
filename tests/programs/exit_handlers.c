// steam: exit=3
/* Order at exit: atexit in reverse, on_exit with status, constructors, destructors, stdio flushing, quick_exit unused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int registered;
static char own_buffer[256];

static void first(void) { printf("atexit first registered, runs last; count %d\n", registered); }
static void second(void) { printf("atexit second\n"); }
static void late(void) { printf("registered during exit\n"); }
static void third(void)
{
    printf("atexit third\n");
    atexit(late);
}
static void with_status(int status, void *data) { printf("on_exit status %d data %s\n", status, (char *)data); }

__attribute__((constructor(101))) static void early(void) { registered += 1; }
__attribute__((constructor(102))) static void later(void) { registered *= 10; }
__attribute__((constructor)) static void last(void) { registered += 5; }
__attribute__((destructor(102))) static void down_first(void) { printf("destructor 102\n"); }
__attribute__((destructor(101))) static void down_last(void)
{
    printf("destructor 101, still buffered");
    fflush(stdout);
    static const char bye[] = " / written directly\n";
    if (write(1, bye, sizeof bye - 1) < 0)
        _exit(9);
}

static int depth(int n)
{
    if (n == 0) {
        printf("exit from the depth\n");
        exit(3);
    }
    return depth(n - 1) + 1;
}

int main(void)
{
    setvbuf(stdout, own_buffer, _IOFBF, sizeof own_buffer);
    printf("constructors gave %d\n", registered);
    atexit(first);
    atexit(second);
    on_exit(with_status, "payload");
    atexit(third);
    for (int i = 0; i < 40; i++)
        atexit(second);
    fprintf(stderr, "error output comes at once\n");
    return depth(20);
}
