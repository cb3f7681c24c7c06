// steam: expect=deadlock
/* The client takes any message for the answer, and may get its own request back. Then the server waits
 * for a request for ever. */
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 1, ANSWER = 2 };

struct message {
    long type;
    int number;
};

int main(void)
{
    struct message message = {REQUEST, 10};
    int queue = msgget(IPC_PRIVATE, 0600);
    if (fork() == 0) {
        msgsnd(queue, &message, sizeof message.number, 0);
        msgrcv(queue, &message, sizeof message.number, 0, 0);
        _exit(0);
    }
    msgrcv(queue, &message, sizeof message.number, REQUEST, 0); /* ERROR */
    message.type = ANSWER;
    message.number *= 2;
    msgsnd(queue, &message, sizeof message.number, 0);
    wait(NULL);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
