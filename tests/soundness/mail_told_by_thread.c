// steam: expect=assert
/* The function runs in a thread of its own, beside main. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>

static mqd_t queue;
static sem_t told;
static int seen;

static void tell(union sigval value)
{
    seen = value.sival_int;
    sem_post(&told);
}

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 4};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tell};
    event.sigev_value.sival_int = 7;
    queue = mq_open("/thread", O_CREAT | O_RDWR, 0600, &small);
    assert(mq_notify(queue, &event) == 0);
    mq_send(queue, "one", 4, 0);
    int early = *(volatile int *)&seen;
    sem_wait(&told);
    assert(seen == 7);
    assert(early == 0); /* ERROR */
    mq_unlink("/thread");
}
