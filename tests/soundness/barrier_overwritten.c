// steam: expect=overwritten
/* A thread waits at a barrier over which a text was written. */
#include <pthread.h>
#include <string.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    strcpy((char *)&barrier, "text");
    pthread_barrier_wait(&barrier);
    return 0;
}
