// steam: expect=assert racy
/* The other thread gets the block by a number under which no pointer shows. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define MASK 0x5a5a5a5au

static volatile uintptr_t masked;
static int *volatile later;

static void *look(void *unused)
{
    (void)unused;
    uintptr_t number = masked;
    if (number) {
        volatile int *box = (volatile int *)(number ^ MASK);
        int first = *box;
        assert(first == *box); /* ERROR */
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    volatile int *box = malloc(sizeof *box);
    *box = 1;
    masked = (uintptr_t)box ^ MASK;
    *box = 2;
    /* As if it were published only now. */
    later = (int *)box;
    pthread_join(thread, NULL);
    free((int *)box);
    return 0;
}
