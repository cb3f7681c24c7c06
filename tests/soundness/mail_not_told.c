// steam: expect=deadlock
/* Who registers while a message is in the queue is told of no other one: it has to look first. */
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 4};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    mqd_t queue = mq_open("/untold", O_CREAT | O_RDWR, 0600, &small);
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    if (fork() == 0) {
        mq_send(queue, "one", 4, 0);
        mq_send(queue, "two", 4, 0);
        _exit(0);
    }
    mq_notify(queue, &event);
    sigwait(&set, &got);
    wait(0);
    mq_unlink("/untold");
}
