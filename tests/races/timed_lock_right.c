// no race
/* A lock with a time limit: who runs into the limit does without. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    struct timespec limit = {.tv_sec = 2000000000}; /* in the year 2033 */
    if (pthread_mutex_timedlock(&lock, &limit) == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return counter > 2;
}
