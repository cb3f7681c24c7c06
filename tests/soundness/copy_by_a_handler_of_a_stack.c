// steam: expect=assert
/* A copy that a handler makes shows the stack of what it interrupts. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int *shown;

static void copies(int signal)
{
    (void)signal;
    if (syscall(SYS_fork) == 0) {
        assert(*shown != 1);
        _exit(0);
    }
}

static void *sends(void *first)
{
    pthread_kill(*(pthread_t *)first, SIGUSR1);
    return NULL;
}

int main(void)
{
    volatile int mine = 0;
    pthread_t thread, first = pthread_self();
    shown = &mine;
    signal(SIGUSR1, copies);
    pthread_create(&thread, 0, sends, &first);
    mine = 1;
    mine = 2;
    pthread_join(thread, 0);
    return 0;
}
