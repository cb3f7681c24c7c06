// steam: expect=none
/* A process is told once of a message that comes to an empty queue, and who registers meanwhile is refused. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 4};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    mqd_t queue = mq_open("/told", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &small);
    sigset_t set;
    siginfo_t info;
    char text[4];
    event.sigev_value.sival_int = 7;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    assert(mq_notify(queue, &event) == 0);
    pid_t child = fork();
    if (child == 0) {
        int refused = mq_notify(queue, &event);
        assert(refused == -1 && errno == EBUSY);
        assert(mq_notify(queue, 0) == 0);
        mq_send(queue, "one", 4, 0);
        mq_send(queue, "two", 4, 0);
        _exit(0);
    }
    assert(sigwaitinfo(&set, &info) == SIGUSR1);
    assert(info.si_code == SI_MESGQ && info.si_pid == child && info.si_value.sival_int == 7);
    assert(mq_receive(queue, text, 4, 0) == 4);
    waitpid(child, 0, 0);
    assert(mq_receive(queue, text, 4, 0) == 4);
    assert(mq_notify(queue, &event) == 0);
    mq_close(queue);
    mq_unlink("/told");
}
