// steam: error=none
/* longjmp throws frames away and later calls use the same stack again; a handler leaves by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static jmp_buf back;
static sigjmp_buf out;

static int __attribute__((noinline)) sink(int depth)
{
    char local[300];
    memset(local, depth, sizeof local);
    if (depth == 0)
        longjmp(back, 5);
    return sink(depth - 1) + local[299];
}
static int __attribute__((noinline)) reuse(int depth)
{
    char local[500];
    memset(local, 1, sizeof local);
    return depth == 0 ? local[0] : reuse(depth - 1) + local[499];
}
static void handler(int number) { siglongjmp(out, number); }

int main(void)
{
    volatile int total = 0;
    for (volatile int i = 0; i < 5; i++) {
        int value = setjmp(back);
        if (value == 0)
            sink(50 + i);
        total += value + reuse(60);
    }
    signal(SIGUSR1, handler);
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(out, 1) == 0)
            raise(SIGUSR1);
        else
            total += reuse(10);
    printf("%d\n", total);
    return 0;
}
