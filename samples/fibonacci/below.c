// steam: expect=none args=2 racy
/* Two threads, i += j and j += i: after n rounds each, neither is above the Fibonacci number with
 * index 2n + 2. The argument is the number of rounds. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int i = 1, j = 1;
static int rounds = 1;

static void *first(void *unused)
{
    (void)unused;
    for (int k = 0; k < rounds; k++)
        i += j;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    for (int k = 0; k < rounds; k++)
        j += i;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    if (argc > 1)
        rounds = atoi(argv[1]);
    int last = 1, largest = 1;
    for (int k = 0; k < 2 * rounds; k++) {
        int sum = last + largest;
        last = largest;
        largest = sum;
    }
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(i <= largest && j <= largest);
    return 0;
}
