// steam: expect=deadlock
/* The timer would end the program; the threads wait for each other all the same. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void *crosswise(void *unused)
{
    both(&second, &first);
    return unused;
}

int main(void)
{
    pthread_t thread;
    alarm(3);
    pthread_create(&thread, NULL, crosswise, NULL);
    both(&first, &second);
    pthread_join(thread, NULL);
    return 0;
}
