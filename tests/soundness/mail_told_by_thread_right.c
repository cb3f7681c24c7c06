// steam: expect=none
/* The function runs in a thread of its own, once for each registration. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>

static mqd_t queue;
static sem_t told;
static int seen;

static void tell(union sigval value)
{
    char text[4];
    seen += value.sival_int;
    assert(mq_receive(queue, text, 4, 0) == 4);
    sem_post(&told);
}

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 4};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tell};
    event.sigev_value.sival_int = 7;
    queue = mq_open("/right", O_CREAT | O_RDWR, 0600, &small);
    assert(mq_notify(queue, &event) == 0);
    assert(mq_notify(queue, &event) == -1 && errno == EBUSY);
    mq_send(queue, "one", 4, 0);
    sem_wait(&told);
    assert(seen == 7);
    mq_unlink("/right");
}
