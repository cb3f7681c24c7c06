// lacks nothing
// executions: 2
// composed: 1
/* The example of Stoller's section 6: each of two threads takes a lock of its own and then the lock of
 * `o`, reads `o` and writes its own variable. Done invisible steps first there are two executions, in the
 * orders in which the threads get the lock of `o`. Composed, the two sections only read `o`: they commute,
 * and there is one. */
#include <pthread.h>

int o, copies[2];
static pthread_mutex_t lock_of_o = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument)
{
    int i = (int)(long)argument;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_lock(&lock_of_o);
    copies[i] = o;
    pthread_mutex_unlock(&lock_of_o);
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    o = 7;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return copies[0] + copies[1] - 14;
}
