// steam: expect=assert
/* All threads of a process stop; which of them has done how much is not known. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *done;

static void *work(void *unused)
{
    __atomic_store_n(done, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        raise(SIGSTOP);
        pthread_join(thread, NULL);
        _exit(0);
    }
    int status;
    assert(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    int before = __atomic_load_n(done, __ATOMIC_SEQ_CST);
    int after = __atomic_load_n(done, __ATOMIC_SEQ_CST);
    if (before != after)
        _exit(1);
    kill(child, SIGCONT);
    waitpid(child, &status, 0);
    assert(before == 1);
    return 0;
}
