// steam: expect=deadlock
/* A process is ended while it holds a lock that another one waits for. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    pthread_mutex_t *lock =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(lock, &shared);
    int parent = getpid();
    if (fork() == 0) {
        kill(parent, SIGTERM);
        _exit(0);
    }
    if (fork() == 0) {
        pthread_mutex_lock(lock); /* ERROR */
        pthread_mutex_unlock(lock);
        _exit(0);
    }
    pthread_mutex_lock(lock);
    sched_yield();
    pthread_mutex_unlock(lock);
    pause();
    return 0;
}
