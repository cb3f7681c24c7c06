// steam: expect=none
/* Waits by a clock that there is not fail at once, whether they would have to wait or not. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *other(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    struct timespec late = {4000000000u, 0};
    pthread_t thread;
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, other, NULL);
    assert(pthread_mutex_clocklock(&mutex, 99, &late) == EINVAL);
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &late) == EINVAL);
    pthread_mutex_unlock(&mutex);
    assert(sem_clockwait(&semaphore, -1, &late) == -1 && errno == EINVAL);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &late) == 0);
    pthread_join(thread, NULL);
    return 0;
}
