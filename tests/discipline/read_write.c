// lacks nothing
/* Readers share the lock, the writer has it alone. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;
int one;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *argument)
{
    pthread_rwlock_rdlock(&l);
    one = x;
    pthread_rwlock_unlock(&l);
    return argument;
}

static void *second(void *argument)
{
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
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
