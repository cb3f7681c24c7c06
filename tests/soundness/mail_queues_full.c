// steam: expect=deadlock
/* Two processes send to each other, and both wait for room before they receive. */
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

static void talk(mqd_t to, mqd_t from)
{
    char byte[8] = "";
    for (int i = 0; i < 2; i++)
        mq_send(to, byte, 1, 0); /* ERROR */
    for (int i = 0; i < 2; i++)
        mq_receive(from, byte, sizeof byte, NULL);
}

int main(void)
{
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    mqd_t one = mq_open("/one", O_CREAT | O_RDWR, 0600, &small);
    mqd_t other = mq_open("/other", O_CREAT | O_RDWR, 0600, &small);
    if (fork() == 0) {
        talk(one, other);
        _exit(0);
    }
    talk(other, one);
    wait(NULL);
    return 0;
}
