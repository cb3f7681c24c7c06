// race: deadline.tv_sec 12 21
/* A thread waits for a lock until a time that another thread sets meanwhile. */
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static struct timespec deadline;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    if (pthread_mutex_timedlock(&lock, &deadline) == 0)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    deadline.tv_sec = 5;
    pthread_join(thread, NULL);
    return 0;
}
