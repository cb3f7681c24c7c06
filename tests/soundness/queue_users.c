// steam: expect=assert
/* Receivers of different types are told apart by who was the last. */
#include <assert.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int queue = msgget(IPC_PRIVATE, 0600);
    struct { long kind; char text[1]; } message = {1, "x"}, received;
    pid_t children[2];
    struct msqid_ds status;
    for (long kind = 1; kind <= 2; kind++) {
        message.kind = kind;
        msgsnd(queue, &message, 1, 0);
    }
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            msgrcv(queue, &received, 1, i + 1, 0);
            _exit(0);
        }
    }
    waitpid(children[0], 0, 0);
    waitpid(children[1], 0, 0);
    msgctl(queue, IPC_STAT, &status);
    assert(status.msg_qnum == 0 && status.msg_stime != 0 && status.msg_rtime >= status.msg_stime);
    assert(status.msg_lspid == getpid());
    assert(status.msg_lrpid == children[0] || status.msg_lrpid == children[1]);
    assert(status.msg_lrpid == children[1]); /* ERROR */
    msgctl(queue, IPC_RMID, 0);
}
