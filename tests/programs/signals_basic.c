/* raise, sigaction with SA_SIGINFO, masks, pending, nested delivery, SA_RESETHAND, SIG_IGN. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t count, last, code_seen, nested;
static char trace[256];

static void note(const char *text) { strncat(trace, text, sizeof trace - strlen(trace) - 1); }

static void simple(int number)
{
    count++;
    last = number;
}

static void with_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    last = info->si_signo == number ? number : -1;
    code_seen = info->si_code;
    if (info->si_code == SI_QUEUE)
        nested = info->si_value.sival_int;
}

static void outer_handler(int number)
{
    (void)number;
    note("[outer ");
    raise(SIGUSR2);
    note("outer] ");
}

static void inner_handler(int number)
{
    (void)number;
    note("(inner) ");
}

static void masked_self(int number)
{
    static int depth;
    depth++;
    note(depth == 1 ? "first " : "second ");
    if (depth == 1)
        raise(number); /* stays pending until this handler returns */
    note("end ");
}

static void install(int number, void (*handler)(int), int flags, int also_masked)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    if (also_masked)
        sigaddset(&action.sa_mask, also_masked);
    if (sigaction(number, &action, NULL) != 0)
        perror("sigaction");
}

int main(void)
{
    signal(SIGUSR1, simple);
    for (int i = 0; i < 5; i++)
        raise(SIGUSR1);
    printf("simple: %d times, last is SIGUSR1: %d\n", (int)count, last == SIGUSR1);

    struct sigaction action = {.sa_flags = SA_SIGINFO}, old;
    action.sa_sigaction = with_info;
    sigaction(SIGUSR1, &action, &old);
    printf("old handler was simple: %d\n", old.sa_handler == simple);
    raise(SIGUSR1);
    printf("info: %d, code is SI_TKILL: %d\n", last == SIGUSR1, code_seen == SI_TKILL);
    kill(getpid(), SIGUSR1);
    printf("kill: code is SI_USER: %d\n", code_seen == SI_USER);

    install(SIGUSR1, outer_handler, 0, 0);
    install(SIGUSR2, inner_handler, 0, 0);
    raise(SIGUSR1);
    note("/ ");
    install(SIGUSR1, outer_handler, 0, SIGUSR2);
    raise(SIGUSR1);
    printf("%s\n", trace);

    trace[0] = 0;
    install(SIGTERM, masked_self, 0, 0);
    raise(SIGTERM);
    printf("%s\n", trace);

    sigset_t block, previous, pending;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR2);
    sigaddset(&block, SIGINT);
    sigprocmask(SIG_BLOCK, &block, &previous);
    trace[0] = 0;
    raise(SIGUSR2);
    raise(SIGUSR2);
    sigpending(&pending);
    printf("blocked <%s>, pending USR2 %d INT %d\n", trace, sigismember(&pending, SIGUSR2), sigismember(&pending, SIGINT));
    sigprocmask(SIG_SETMASK, &previous, NULL);
    printf("after unblocking <%s>\n", trace);

    signal(SIGINT, SIG_IGN);
    raise(SIGINT);
    install(SIGINT, simple, SA_RESETHAND, 0);
    count = 0;
    raise(SIGINT);
    sigaction(SIGINT, NULL, &old);
    printf("reset after one: %d %d\n", (int)count, old.sa_handler == SIG_DFL);

    install(SIGCHLD, SIG_DFL, 0, 0);
    raise(SIGCHLD);
    raise(SIGURG);
    puts("ignored by default survive");
    printf("%s | %s\n", strsignal(SIGSEGV), strsignal(SIGFPE));
    return 0;
}
