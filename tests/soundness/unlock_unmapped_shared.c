// steam: expect=unmapped-access
/* A mutex in a mapping that processes may share, which is unmapped before it is unlocked. */
#include <pthread.h>
#include <sys/mman.h>

static volatile int done;

static void *use(void *argument)
{
    pthread_mutex_t *mutex = argument;
    pthread_mutex_lock(mutex);
    done = 1;
    pthread_mutex_unlock(mutex); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_init(page, NULL);
    pthread_create(&thread, NULL, use, page);
    while (!done)
        ;
    munmap(page, 4096);
    pthread_join(thread, NULL);
    return 0;
}
