// steam: expect=overwritten
/* A thread makes a mutex anew that the other one holds: both are in the critical section then. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *holds(void *unused)
{
    pthread_mutex_lock(&mutex);
    inside = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *makes_anew(void *unused)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, holds, NULL);
    pthread_create(&threads[1], NULL, makes_anew, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
