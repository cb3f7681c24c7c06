// steam: expect=none
/* A process sends numbers to another one, which adds them. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int number, sum = 0, status;
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = sizeof number};
    mqd_t queue = mq_open("/numbers", O_CREAT | O_RDWR, 0600, &small);
    if (fork() == 0) {
        mqd_t own = mq_open("/numbers", O_RDONLY);
        for (int i = 0; i < 3; i++) {
            assert(mq_receive(own, (char *)&number, sizeof number, NULL) == sizeof number);
            sum += number;
        }
        _exit(sum);
    }
    for (number = 1; number <= 3; number++)
        assert(mq_send(queue, (char *)&number, sizeof number, 0) == 0);
    assert(wait(&status) > 0 && WEXITSTATUS(status) == 6);
    mq_unlink("/numbers");
    return 0;
}
