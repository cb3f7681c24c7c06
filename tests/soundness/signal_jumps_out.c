// steam: expect=assert
/* A handler jumps out of what it interrupts: what comes then observes half of it. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static volatile int x, y;
static sigset_t usr1;
static sigjmp_buf back;

static void handle(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static void *work(void *unused)
{
    if (sigsetjmp(back, 1) == 0) {
        pthread_sigmask(SIG_UNBLOCK, &usr1, 0);
        x = 1;
        y = 1;
        pthread_sigmask(SIG_BLOCK, &usr1, 0);
    } else {
        assert(x == y);
    }
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    pthread_t thread;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, 0);
    sigaction(SIGUSR1, &action, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
