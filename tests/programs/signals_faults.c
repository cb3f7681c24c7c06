// steam: flags=-fno-builtin
/* Leaving handlers by siglongjmp, abort with a handler, and SIGILL/SIGTRAP raised in code. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf escape;
static volatile sig_atomic_t traps, seen;

static void jump_out(int number) { siglongjmp(escape, number); }

static void count_trap(int number)
{
    seen = number;
    traps++;
}

static int divide(volatile int a, volatile int b)
{
    signal(SIGFPE, jump_out);
    int why = sigsetjmp(escape, 1);
    if (why == 0)
        return a / b;
    return why == SIGFPE ? -999 : -1;
}

static void guarded_abort(void)
{
    signal(SIGABRT, jump_out);
    if (sigsetjmp(escape, 1) == 0) {
        puts("about to abort");
        fflush(stdout);
        abort();
    }
    puts("survived abort");
}

static void illegal(void)
{
    signal(SIGILL, jump_out);
    if (sigsetjmp(escape, 1) == 0)
        __asm__ volatile("ud2");
    puts("survived ud2");
}

static void breakpoint(void)
{
    signal(SIGTRAP, count_trap);
    for (int i = 0; i < 3; i++)
        __asm__ volatile("int3");
    printf("breakpoints %d, SIGTRAP %d\n", (int)traps, seen == SIGTRAP);
}

static int mask_blocks(int number)
{
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, number);
}

int main(void)
{
    printf("%d %d %d\n", divide(100, 7), divide(5, 0), divide(-100, 7));
    printf("%d\n", divide(-2147483647 - 1, -1));
    printf("SIGFPE blocked afterwards: %d\n", mask_blocks(SIGFPE));
    guarded_abort();
    printf("SIGABRT blocked afterwards: %d\n", mask_blocks(SIGABRT));
    illegal();
    breakpoint();

    /* Without the saved mask the signal stays blocked. */
    signal(SIGUSR1, jump_out);
    if (sigsetjmp(escape, 0) == 0)
        raise(SIGUSR1);
    printf("unsaved mask: %d\n", mask_blocks(SIGUSR1));
    return 0;
}
