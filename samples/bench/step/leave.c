/* Threads that take a lock some times and then end: by return, or with LEAVE by pthread_exit, which
 * unwinds their stacks. The search does nearly the same for both. */
#include <pthread.h>

#ifndef LEAVE
#define LEAVE 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *argument)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        sum += i;
        pthread_mutex_unlock(&lock);
    }
    if (LEAVE)
        pthread_exit(argument);
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return sum != 18;
}
