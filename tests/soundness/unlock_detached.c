// steam: expect=unmapped-access
/* A mutex in a segment of shared memory, which its process detaches before it is unlocked. */
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static volatile int done;

static void *use(void *mutex)
{
    pthread_mutex_lock(mutex);
    done = 1;
    pthread_mutex_unlock(mutex); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *segment = shmat(shmget(IPC_PRIVATE, 4096, 0600), NULL, 0);
    pthread_mutex_init(segment, NULL);
    pthread_create(&thread, NULL, use, segment);
    while (!done)
        ;
    shmdt(segment);
    pthread_join(thread, NULL);
    return 0;
}
