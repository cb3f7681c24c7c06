// steam: expect=assert
/* A hundredth of a second later, without a carry to the seconds: if that is another second, the wait fails at once and
   gives nothing up. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *prepare(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    struct timespec limit;
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, prepare, 0);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 10000000;
    while (!ready) {
        int result = pthread_cond_timedwait(&changed, &lock, &limit);
        assert(result == 0 || result == ETIMEDOUT); /* ERROR */
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
