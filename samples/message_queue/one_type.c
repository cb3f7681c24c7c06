// steam: expect=assert
/* All answers of the server are of one type: the other client may take what is not for it. */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 1, ANSWER = 2, CLIENTS = 2 };

struct message {
    long type;
    int client, number;
};

static int queue;

static void client(int own)
{
    struct message message = {REQUEST, own, 10 + own};
    msgsnd(queue, &message, sizeof message - sizeof(long), 0);
    msgrcv(queue, &message, sizeof message - sizeof(long), ANSWER, 0);
    assert(message.number == 2 * (10 + own)); /* ERROR */
    _exit(0);
}

int main(void)
{
    queue = msgget(IPC_PRIVATE, 0600);
    for (int own = 0; own < CLIENTS; own++) {
        if (fork() == 0)
            client(own);
    }
    for (int served = 0; served < CLIENTS; served++) {
        struct message message;
        msgrcv(queue, &message, sizeof message - sizeof(long), REQUEST, 0);
        message.type = ANSWER;
        message.number *= 2;
        msgsnd(queue, &message, sizeof message - sizeof(long), 0);
    }
    for (int own = 0; own < CLIENTS; own++)
        wait(NULL);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
