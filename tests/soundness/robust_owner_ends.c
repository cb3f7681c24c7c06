// steam: expect=assert
/* Who tries a robust mutex may come before its owner ends. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
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
    if (fork() == 0) {
        pthread_mutex_lock(mutex);
        _exit(0);
    }
    int tried = pthread_mutex_trylock(mutex);
    assert(tried != EBUSY); /* ERROR */
    if (tried == EOWNERDEAD)
        pthread_mutex_consistent(mutex);
    pthread_mutex_unlock(mutex);
    wait(0);
}
