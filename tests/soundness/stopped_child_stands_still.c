// steam: expect=none
/* A child that was stopped does nothing until it is told to go on, and its parent is told of both. */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    volatile int *count = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0) {
        __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        _exit(3);
    }
    int status;
    kill(child, SIGSTOP);
    assert(waitpid(child, &status, WUNTRACED) == child);
    if (WIFSTOPPED(status)) {
        assert(WSTOPSIG(status) == SIGSTOP);
        int before = __atomic_load_n(count, __ATOMIC_SEQ_CST);
        assert(waitpid(child, &status, WNOHANG | WUNTRACED) == 0);
        assert(__atomic_load_n(count, __ATOMIC_SEQ_CST) == before);
        kill(child, SIGCONT);
        assert(waitpid(child, &status, WCONTINUED) == child);
        if (WIFCONTINUED(status))
            assert(waitpid(child, &status, 0) == child);
    }
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    return 0;
}
