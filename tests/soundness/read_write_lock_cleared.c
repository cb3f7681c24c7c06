// steam: expect=overwritten
/* A read-write lock that was initialised is set to zero while it is held: who locks it then does not wait. */
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t lock;

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_wrlock(&lock);
    memset(&lock, 0, sizeof lock);
    pthread_create(&thread, NULL, reads, NULL);
    pthread_join(thread, NULL);
    return 0;
}
