// steam: expect=deadlock
/* The timer that was to wake the first thread is stopped before it fires, perhaps. */
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static sem_t told;

static void notice(union sigval value)
{
    (void)value;
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
    timer_delete(timer);
    sem_wait(&told);
    return 0;
}
