// steam: expect=none
/* A robust mutex goes to whoever comes next when another process kills its owner, wherever that is. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pthread_mutex_t *mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        pause();
        _exit(0);
    }
    kill(child, SIGTERM);
    waitpid(child, 0, 0);
    int locked = pthread_mutex_lock(mutex);
    assert(locked == 0 || locked == EOWNERDEAD);
    if (locked == EOWNERDEAD)
        assert(pthread_mutex_consistent(mutex) == 0);
    assert(pthread_mutex_unlock(mutex) == 0);
    assert(pthread_mutex_lock(mutex) == 0);
}
