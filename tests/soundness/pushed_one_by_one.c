// steam: expect=assert
/* One instruction stores several words, and others may look between two of them. */
#include <assert.h>
#include <pthread.h>

static volatile unsigned words[8];

static void *push_all(void *unused)
{
    (void)unused;
    volatile unsigned *end = words + 8;
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
    pthread_create(&thread, NULL, push_all, NULL);
    unsigned eax = words[7], edi = words[0];
    assert(eax == 0 || edi == 2);
    pthread_join(thread, NULL);
    return 0;
}
