// steam: expect=overwritten
/* A barrier is set to zero: it is none any more. */
#include <pthread.h>
#include <string.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 1);
    memset(&barrier, 0, sizeof barrier);
    pthread_barrier_wait(&barrier);
    return 0;
}
