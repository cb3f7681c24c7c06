/* A handler on an alternate stack: where it runs, what sigaltstack says, and that it is restored. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *area;
static size_t area_size = 65536;
static volatile int on_area, flagged, depth;

static int inside(const void *where)
{
    uintptr_t at = (uintptr_t)where, low = (uintptr_t)area;
    return at >= low && at < low + area_size;
}

static void handler(int number, siginfo_t *info, void *context)
{
    char local;
    stack_t now;
    (void)info;
    (void)context;
    on_area = inside(&local);
    sigaltstack(NULL, &now);
    flagged = (now.ss_flags & SS_ONSTACK) != 0;
    if (depth++ < 3)
        raise(number == SIGUSR1 ? SIGUSR2 : SIGUSR1);
}

static void plain(int number)
{
    char local;
    (void)number;
    on_area = inside(&local);
}

static int recurse(int n)
{
    volatile char block[512];
    block[n % 512] = (char)n;
    if (n == 0) {
        raise(SIGUSR1);
        return 0;
    }
    return recurse(n - 1) + block[n % 512] * 0 + 1;
}

int main(void)
{
    area = malloc(area_size);
    stack_t wanted = {.ss_sp = area, .ss_size = area_size, .ss_flags = 0}, old;
    printf("set %d\n", sigaltstack(&wanted, &old));
    printf("was disabled: %d\n", (old.ss_flags & SS_DISABLE) != 0);

    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);

    raise(SIGUSR1);
    printf("ran on the area %d, flagged %d, depth %d\n", on_area, flagged, depth);
    depth = 3;
    printf("recursed %d, on the area %d\n", recurse(100), on_area);

    action.sa_handler = plain;
    action.sa_flags = 0;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("without SA_ONSTACK: %d\n", on_area);

    wanted.ss_flags = SS_DISABLE;
    printf("disable %d\n", sigaltstack(&wanted, &old));
    printf("was at the area %d of size %u\n", old.ss_sp == (void *)area, (unsigned)old.ss_size);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("disabled: %d\n", on_area);
    wanted.ss_flags = 0;
    wanted.ss_size = 16;
    printf("too small %d\n", sigaltstack(&wanted, NULL));
    free(area);
    return 0;
}
