// steam: expect=assert
/* The function of a timer runs in a thread of its own beside the first one: an update may be lost. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_int count;
static sem_t told;

static void add(void)
{
    int before = atomic_load(&count);
    atomic_store(&count, before + 1);
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
    assert(atomic_load(&count) == 2);
    return 0;
}
