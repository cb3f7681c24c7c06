// steam: expect=none
/* Who made a segment, who attached or left it last, and that a child of vfork has no mapping of its own. */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shmid_ds status(int segment)
{
    struct shmid_ds found;
    assert(shmctl(segment, IPC_STAT, &found) == 0);
    return found;
}

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    struct shmid_ds now = status(segment);
    assert(now.shm_cpid == getpid() && now.shm_lpid == 0 && now.shm_ctime != 0);
    assert(now.shm_atime == 0 && now.shm_dtime == 0 && now.shm_nattch == 0);
    void *memory = shmat(segment, 0, 0);
    now = status(segment);
    assert(now.shm_lpid == getpid() && now.shm_atime != 0 && now.shm_dtime == 0 && now.shm_nattch == 1);
    pid_t child = vfork();
    if (child == 0) {
        now = status(segment);
        _exit(now.shm_nattch);
    }
    int end;
    waitpid(child, &end, 0);
    assert(WEXITSTATUS(end) == 1 && status(segment).shm_dtime == 0);
    child = fork();
    if (child == 0) {
        now = status(segment);
        assert(now.shm_nattch == 2 && now.shm_lpid == getppid());
        shmdt(memory);
        now = status(segment);
        _exit(now.shm_nattch == 1 && now.shm_lpid == getpid() && now.shm_dtime != 0);
    }
    waitpid(child, &end, 0);
    assert(WEXITSTATUS(end) == 1);
    shmctl(segment, IPC_RMID, 0);
    now = status(segment);
    assert((now.shm_perm.mode & SHM_DEST) && now.shm_nattch == 1);
    shmdt(memory);
    assert(shmctl(segment, IPC_STAT, &now) == -1);
}
