// steam: expect=assert
/* Two signals: the second jump leaves half of what was done after the first one. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static volatile int x, y, jumps;
static sigset_t usr1;
static sigjmp_buf back;

static void handle(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static void *work(void *unused)
{
    if (sigsetjmp(back, 1) != 0) jumps++;
    if (jumps == 1) {
        pthread_sigmask(SIG_UNBLOCK, &usr1, 0);
        x = 1;
        y = 1;
        pthread_sigmask(SIG_BLOCK, &usr1, 0);
    } else if (jumps == 2) {
        assert(x == y);
    } else {
        pthread_sigmask(SIG_UNBLOCK, &usr1, 0);
        pthread_sigmask(SIG_BLOCK, &usr1, 0);
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
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
