// lacks: wide
/* A variable of two words is told once. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static long long wide;
long long seen;

static void *first(void *argument)
{
    wide += 1LL << 40;
    return argument;
}

static void *second(void *argument)
{
    seen = wide;
    return argument;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
