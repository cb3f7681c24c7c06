// no race
/* Two readers and a writer, each with the lock that it needs. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct {
    int width, height;
} size = {1, 1};

static void *look(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(size.width == size.height);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t readers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, look, NULL);
    pthread_rwlock_wrlock(&lock);
    size.width = 2;
    size.height = 2;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
