// steam: expect=none
/* The same with a lock; the timer is known to have fired once. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static sem_t told;

static void add(void)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
}

static void notice(union sigval value)
{
    (void)value;
    add();
    sem_post(&told);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notice};
    struct itimerspec once = {{0, 0}, {1, 0}};
    timer_t timer;
    sem_init(&told, 0, 0);
    timer_create(CLOCK_REALTIME, &event, &timer);
    timer_settime(timer, 0, &once, NULL);
    add();
    sem_wait(&told);
    pthread_mutex_lock(&mutex);
    assert(count == 2);
    pthread_mutex_unlock(&mutex);
    return 0;
}
