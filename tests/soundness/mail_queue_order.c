// steam: expect=assert
/* An urgent message overtakes others only if it is there in time. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char bytes[8];
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 8};
    mqd_t queue = mq_open("/mail", O_CREAT | O_RDWR, 0600, &small);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            mq_send(queue, &"ab"[i], 1, i);
            _exit(0);
        }
    wait(NULL);
    assert(mq_receive(queue, bytes, sizeof bytes, NULL) == 1);
    assert(bytes[0] == 'b'); /* ERROR */
    wait(NULL);
    return 0;
}
