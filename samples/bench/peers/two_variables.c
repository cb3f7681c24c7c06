/* Two threads that add each other's variable to their own, without a lock. The largest value that a
 * schedule can reach is a Fibonacci number. */
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 7
#endif

static volatile int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    (void)unused;
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return NULL;
}

static void *add_to_j(void *unused)
{
    (void)unused;
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return NULL;
}

static int largest(void)
{
    int before = 1, last = 1;
    for (int k = 0; k < 2 * ROUNDS; k++) {
        int next = before + last;
        before = last;
        last = next;
    }
    return last;
}

int main(void)
{
    pthread_t first, second;
    int limit = largest();
    pthread_create(&first, NULL, add_to_i, NULL);
    pthread_create(&second, NULL, add_to_j, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(i <= limit && j <= limit);
    return 0;
}
