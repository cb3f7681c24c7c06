// steam: expect=assert
/* A loop that looks at the clock without waiting may find that the time is over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec start, now;
    pthread_create(&thread, 0, work, 0);
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert(now.tv_sec - start.tv_sec < 5); /* ERROR */
    } while (!done);
    pthread_join(thread, 0);
    return 0;
}
