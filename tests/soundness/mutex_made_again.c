// steam: expect=none
/* A lock in the same place as one that was destroyed is another lock, also where it is initialised by its value. */
#include <pthread.h>
#include <stddef.h>

static int sum;

static void *adds(void *lock)
{
    pthread_mutex_lock(lock);
    sum++;
    pthread_mutex_unlock(lock);
    return NULL;
}

__attribute__((noinline)) static void add(int by_value)
{
    pthread_t thread;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!by_value)
        pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, adds, &lock);
    adds(&lock);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
}

int main(void)
{
    add(0);
    add(1);
    add(1);
    return sum != 6;
}
