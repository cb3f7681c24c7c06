// steam: expect=none
/* What is process-shared may be used by several processes, and what is not by the one whose it is. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct common {
    pthread_mutex_t mutex, own;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    sem_t semaphore;
    int said;
};

int main(void)
{
    struct common *all = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_rwlockattr_t lock;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_init(&lock);
    pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&all->mutex, &mutex);
    pthread_mutex_init(&all->own, 0);
    pthread_cond_init(&all->condition, &condition);
    pthread_rwlock_init(&all->lock, &lock);
    sem_init(&all->semaphore, 1, 0);
    if (fork() == 0) {
        pthread_mutex_lock(&all->mutex);
        all->said = 1;
        pthread_cond_signal(&all->condition);
        pthread_mutex_unlock(&all->mutex);
        pthread_rwlock_rdlock(&all->lock);
        pthread_rwlock_unlock(&all->lock);
        sem_post(&all->semaphore);
        _exit(0);
    }
    pthread_mutex_lock(&all->own);
    pthread_mutex_lock(&all->mutex);
    while (!all->said)
        pthread_cond_wait(&all->condition, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
    pthread_mutex_unlock(&all->own);
    pthread_rwlock_wrlock(&all->lock);
    pthread_rwlock_unlock(&all->lock);
    sem_wait(&all->semaphore);
    wait(0);
}
