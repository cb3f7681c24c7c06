#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steam.h"

/* What the processes of all programs share. Only one of the programs runs. */
struct common {
    int plain[2];
    volatile int careful[2];
    volatile signed char bytes[2];
    int flag;
    pthread_mutex_t locks[2];
    pthread_cond_t changed;
    sem_t token;
};
struct common *common;
/* What each process has a copy of: a global, a block of the heap, a local of main. */
int copied, *kept, *own;
int set, queue, pipes[2][2], sockets[2];
/* A process to be ended: the last child, or the parent of a process without children. */
int other;

/* Whether the operation was done. */
int change(int number, int by, int flags)
{
    struct sembuf one = {(unsigned short)number, (short)by, (short)flags};
    return semop(set, &one, 1) == 0;
}

int change_two(int number, int by, int second, int second_by)
{
    struct sembuf two[2] = {{(unsigned short)number, (short)by, 0},
                            {(unsigned short)second, (short)second_by, 0}};
    return semop(set, two, 2) == 0;
}

struct message {
    long type;
    int value;
};

void put(long type, int value)
{
    struct message message = {type, value};
    msgsnd(queue, &message, sizeof message.value, 0);
}

/* The value of a message, or 7. */
int get(long type, int flags)
{
    struct message message;
    ssize_t size = msgrcv(queue, &message, sizeof message.value, type, flags);
    return size < 0 ? 7 : message.value + 8 * (int)message.type;
}

void say(int pipe, const char *text)
{
    write(pipes[pipe][1], text, strlen(text));
}

/* What was read, or how reading failed. */
int hear(int pipe, size_t most)
{
    char text[2] = {0, 0};
    ssize_t size = read(pipes[pipe][0], text, most);
    return (int)size * 64 + text[0] + text[1];
}

/* The kernel itself writes to what is shared. */
int hear_in_common(int pipe)
{
    return (int)read(pipes[pipe][0], (void *)common->bytes, 1);
}

/* What a socket has to say, or 7. */
int told(int flags)
{
    char text = 0;
    return recv(sockets[0], &text, 1, flags) == 1 ? text : 7;
}

void tell(char text)
{
    send(sockets[1], &text, 1, 0);
}

/* Which of two have something to say, after a while or at once. */
int ready(int patience)
{
    struct pollfd both[2] = {{pipes[0][0], POLLIN, 0}, {sockets[0], POLLIN, 0}};
    int count = poll(both, 2, patience);
    return count < 0 ? 7 : both[0].revents + 32 * both[1].revents;
}

void end_other(void)
{
    if (other > 0)
        kill(other, SIGTERM);
}

int start(void (*child)(void))
{
    int own = getpid(), number = fork();
    other = number == 0 ? own : number;
    if (number == 0)
        child();
    return number;
}

/* How the child ended that was waited for, and whether it is the expected one. */
int ended(int which, int flags, int expected)
{
    int status = 0, number = waitpid(which, &status, flags);
    return (number == expected) * 2 + (number == 0) + status % 251;
}

/* The same with the status in what is shared. */
int ended_in_common(int which, int flags, int expected)
{
    int number = waitpid(which, (int *)&common->careful[1], flags);
    return (number == expected) * 2 + (number == 0);
}

/* The whole run in one number. */
void finish(unsigned read)
{
    unsigned hash = read;
    hash = hash * 31 + common->plain[0];
    hash = hash * 31 + common->plain[1];
    hash = hash * 31 + common->careful[0];
    hash = hash * 31 + common->careful[1];
    hash = hash * 31 + common->bytes[0];
    hash = hash * 31 + common->bytes[1];
    hash = hash * 31 + copied;
    hash = hash * 31 + *kept;
    _exit(hash % 251);
}

void set_up(void)
{
    kept = calloc(1, sizeof *kept);
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t lock;
    pthread_mutexattr_init(&lock);
    pthread_mutexattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&common->locks[0], &lock);
    pthread_mutex_init(&common->locks[1], &lock);
    pthread_condattr_t condition;
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&common->changed, &condition);
    sem_init(&common->token, 1, 0);
    signal(SIGPIPE, SIG_IGN);
    set = semget(IPC_PRIVATE, 4, 0600);
    semctl(set, 0, SETVAL, 1);
    semctl(set, 2, SETVAL, 1);
    semctl(set, 3, SETVAL, 1);
    queue = msgget(IPC_PRIVATE, 0600);
    pipe(pipes[0]);
    pipe2(pipes[1], O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets);
}

