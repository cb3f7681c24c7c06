// steam: expect=assert
/* The counterpart: a receiver that comes after the message does not keep anybody from being told. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>

static mqd_t queue;

static void *receive(void *unused)
{
    char text[4];
    mq_receive(queue, text, 4, 0);
    return unused;
}

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 4};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    pthread_t thread;
    sigset_t set, pending;
    queue = mq_open("/later", O_CREAT | O_RDWR, 0600, &small);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    mq_notify(queue, &event);
    pthread_create(&thread, 0, receive, 0);
    mq_send(queue, "one", 4, 0);
    pthread_join(thread, 0);
    sigpending(&pending);
    assert(!sigismember(&pending, SIGUSR1)); /* ERROR */
    mq_unlink("/later");
}
