// steam: expect=none
/* There is room for what both add. */
#include <assert.h>
#include <sys/sem.h>
#include <unistd.h>

int main(void)
{
    struct sembuf add = {0, 1, 0};
    int set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 32765);
    if (fork()) {
        assert(semop(set, &add, 1) == 0);
        return 0;
    }
    assert(semop(set, &add, 1) == 0);
    _exit(0);
}
