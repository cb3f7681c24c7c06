// steam: expect=none
/* A handler never runs in the middle of an instruction that stores several words, not even when
 * another thread has seen the first of them and sends the signal for it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

/* The handler has its frame on the same stack. */
static volatile unsigned stack[4096 + 8];
static volatile unsigned *const words = stack + 4096;

static void look(int unused)
{
    (void)unused;
    assert(words[0] == 2);
}

static void *push_all(void *unused)
{
    (void)unused;
    volatile unsigned *end = stack + 4096 + 8;
    __asm__ volatile("xchg %%ebx, %%esp\n\t"
                     "pusha\n\t"
                     "mov %%ebx, %%esp"
                     : "+b"(end)
                     : "a"(1), "D"(2)
                     : "memory");
    return NULL;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, look);
    pthread_create(&thread, NULL, push_all, NULL);
    if (words[7] == 1)
        pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
