// race: x 12 21
/* Without -fopenmp a pragma of OpenMP means nothing. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include <pthread.h>

static int x, z;

static void *work(void *unused)
{
    (void)unused;
#pragma omp atomic write
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#pragma omp atomic read
    z = x;
    pthread_join(thread, NULL);
    return z > 1;
}
