// steam: expect=none
/* The last user of a semaphore is one of the two, also if it used both at once, and the one who waited for it. */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int set = semget(IPC_PRIVATE, 2, 0600);
    struct sembuf give = {0, 1, 0}, take[] = {{0, -1, 0}, {1, 0, 0}};
    pid_t first = fork();
    if (first == 0) {
        semop(set, take, 2);
        _exit(0);
    }
    semop(set, &give, 1);
    int user = semctl(set, 0, GETPID);
    assert(user == getpid() || user == first);
    waitpid(first, 0, 0);
    assert(semctl(set, 0, GETPID) == first);
    assert(semctl(set, 1, GETPID) == first);
    semctl(set, 0, IPC_RMID);
}
