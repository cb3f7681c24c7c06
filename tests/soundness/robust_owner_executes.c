// steam: expect=none
/* A process that goes on with another program leaves its robust mutexes behind. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count > 1)
        _exit(0);
    pthread_mutex_t *mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(mutex);
        execl("/proc/self/exe", "again", "again", (char *)0);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    assert(status == 0);
    assert(pthread_mutex_lock(mutex) == EOWNERDEAD);
    assert(pthread_mutex_consistent(mutex) == 0);
    assert(pthread_mutex_unlock(mutex) == 0);
    return 0;
}
