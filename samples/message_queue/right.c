// steam: expect=none
/* Two clients and a server over a System V message queue: requests are of type 1 and say to which type
 * the answer goes, so that each client gets its own. */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 1, ANSWERS = 2, CLIENTS = 2 };

struct message {
    long type;
    int client, number;
};

static int queue;

static void client(int own)
{
    struct message message = {REQUEST, own, 10 + own};
    msgsnd(queue, &message, sizeof message - sizeof(long), 0);
    msgrcv(queue, &message, sizeof message - sizeof(long), ANSWERS + own, 0);
    assert(message.number == 2 * (10 + own));
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
        message.type = ANSWERS + message.client;
        message.number *= 2;
        msgsnd(queue, &message, sizeof message - sizeof(long), 0);
    }
    for (int own = 0; own < CLIENTS; own++)
        wait(NULL);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
