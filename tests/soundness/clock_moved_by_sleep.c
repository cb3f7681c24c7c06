// steam: expect=none
/* After a sleep the clock shows that it has passed, to whoever reads it. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long slept;

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (time.tv_sec - 1700000000) * 1000 + time.tv_nsec / 1000000;
}

static void *sleeper(void *unused)
{
    struct timespec time = {0, 20000000};
    nanosleep(&time, 0);
    pthread_mutex_lock(&lock);
    slept = now();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    long start = now();
    pthread_create(&thread, 0, sleeper, 0);
    pthread_mutex_lock(&lock);
    assert(slept == 0 || slept - start >= 20);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(now() - start >= 20);
    return 0;
}
