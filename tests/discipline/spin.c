// lacks nothing
/* A spin lock is a lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;
static pthread_spinlock_t s;

static void *first(void *argument)
{
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return argument;
}

static void *second(void *argument)
{
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_spin_init(&s, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);

    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
