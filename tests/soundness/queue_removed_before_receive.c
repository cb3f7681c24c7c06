// steam: expect=assert
/* Who waits for a message when its queue is removed gets EIDRM, who comes later EINVAL. */
#include <assert.h>
#include <errno.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
    long type;
    char text;
};

int main(void)
{
    int queue = msgget(IPC_PRIVATE, 0600);
    if (fork() == 0) {
        struct message message;
        assert(msgrcv(queue, &message, 1, 0, 0) == -1);
        assert(errno == EIDRM);
        _exit(0);
    }
    msgctl(queue, IPC_RMID, 0);
    wait(0);
}
