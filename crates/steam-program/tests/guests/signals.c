/* Signals that a program sends itself. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "call.h"

static volatile int count;
static char stack[65536];

static void plain(int signal)
{
    count++;
    printf("handler %d\n", signal);
}

static void informed(int signal, siginfo_t *info, void *context)
{
    printf("handler %d code %d from me %d value %d %d\n", signal, info->si_code,
           info->si_pid == getpid(), info->si_value.sival_int, context != NULL);
}

static void on_stack(int signal)
{
    char here;
    stack_t now;
    sigaltstack(NULL, &now);
    printf("on the other stack %d flags %d\n", &here > stack && &here < stack + sizeof stack, now.ss_flags);
    CALL(sigaltstack(&now, NULL));
}

static void floating(int signal)
{
    volatile double x = 1.5;
    printf("%f %d\n", x * 3, signal);
}

static void nested(int signal)
{
    printf("enter %d\n", signal);
    if (signal == SIGUSR1)
        raise(SIGUSR2);
    printf("leave %d\n", signal);
}

static void set(int signal, int flags, void *handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    CALL(sigaction(signal, &action, NULL));
}

static void masks(void)
{
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CALL(sigprocmask(SIG_BLOCK, &set, &old));
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("pending %d %d\n", sigismember(&pending, SIGUSR1), count);
    CALL(sigprocmask(SIG_SETMASK, &old, NULL));
    printf("%d\n", count);
    CALL(sigprocmask(77, &set, NULL));
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    int taken;
    CALL(sigwait(&set, &taken));
    printf("took %d\n", taken);
    struct timespec moment = {0, 1000};
    CALL(sigtimedwait(&set, NULL, &moment));
    raise(SIGUSR1);
    CALL(sigsuspend(&old));
    sigprocmask(SIG_SETMASK, &old, NULL);
    union sigval value;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (value.sival_int = 0; value.sival_int < 3; value.sival_int++)
        CALL(sigqueue(getpid(), SIGRTMIN + 1, value));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGUSR2);
}

/* A busy machine may let the timer go off once more before it is stopped. */
static void three_times(int signal)
{
    if (count < 3)
        plain(signal);
}

static void interrupted(void)
{
    int ends[2];
    char byte;
    CALL(pipe(ends));
    set(SIGALRM, 0, plain);
    alarm(1);
    CALL(read(ends[0], &byte, 1));
    alarm(1);
    CALL(pause());
    struct timespec duration = {5, 0}, rest;
    alarm(1);
    CALL(nanosleep(&duration, &rest));
    printf("%d\n", rest.tv_sec >= 3);
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    count = 0;
    set(SIGALRM, 0, three_times);
    setitimer(ITIMER_REAL, &often, NULL);
    while (count < 3)
        ;
    setitimer(ITIMER_REAL, &never, &often);
    CALL(alarm(0));
}

static sigjmp_buf place;
static void jump(int signal) { siglongjmp(place, signal); }

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    set(SIGUSR1, 0, plain);
    set(SIGUSR2, SA_SIGINFO, informed);
    set(SIGRTMIN + 1, SA_SIGINFO, informed);
    CALL(raise(SIGUSR1));
    CALL(kill(getpid(), SIGUSR2));
    CALL(kill(getpid(), 0));
    CALL(kill(999999, 0));
    CALL(kill(getpid(), 99));
    CALL(pthread_kill(pthread_self(), SIGUSR1));
    set(SIGKILL, 0, plain);
    masks();
    interrupted();
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}, tiny = {.ss_sp = stack, .ss_size = 10};
    CALL(sigaltstack(&tiny, NULL));
    CALL(sigaltstack(&other, NULL));
    set(SIGHUP, SA_ONSTACK, on_stack);
    raise(SIGHUP);
    set(SIGTERM, SA_RESETHAND, plain);
    raise(SIGTERM);
    struct sigaction now;
    sigaction(SIGTERM, NULL, &now);
    printf("reset %d\n", now.sa_handler == SIG_DFL);
    set(SIGINT, 0, floating);
    volatile double sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += 0.1;
        if (i == 2)
            raise(SIGINT);
    }
    printf("%.17g\n", sum);
    set(SIGUSR1, 0, nested);
    set(SIGUSR2, SA_NODEFER, nested);
    raise(SIGUSR1);
    signal(SIGQUIT, jump);
    int came = sigsetjmp(place, 1);
    if (!came)
        raise(SIGQUIT);
    printf("jumped %d\n", came);
    signal(SIGCHLD, SIG_DFL);
    raise(SIGCHLD);
    signal(SIGPIPE, SIG_IGN);
    raise(SIGPIPE);
    raise(SIGTERM);
    puts("not reached");
    return 0;
}
