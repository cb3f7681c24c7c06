// steam: expect=overwritten
/* A read-write lock with a static initialiser is set to zero while a thread reads under it. */
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&lock);
    memset(&lock, 0, sizeof lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
