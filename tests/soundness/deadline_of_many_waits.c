// steam: expect=assert
/* A limit of time that is the sum of many waits, each of which may be the last. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec start, now;
    int late = 0;
    pthread_create(&thread, 0, work, 0);
    clock_gettime(CLOCK_REALTIME, &start);
    pthread_mutex_lock(&lock);
    while (!ready && !late) {
        clock_gettime(CLOCK_REALTIME, &now);
        late = now.tv_sec - start.tv_sec >= 30;
        now.tv_sec++;
        pthread_cond_timedwait(&changed, &lock, &now);
    }
    assert(ready); /* ERROR */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
