// steam: expect=not-process-shared
/* A mutex in shared memory is not for several processes unless its attributes say so. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pthread_mutex_t *mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_init(mutex, 0);
    if (fork() == 0) {
        pthread_mutex_lock(mutex); /* ERROR */
        pthread_mutex_unlock(mutex);
        _exit(0);
    }
    wait(0);
}
