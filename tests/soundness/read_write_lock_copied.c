// steam: expect=copied
/* A structure is copied while its read-write lock is held: the copy would stay held for ever. */
#include <pthread.h>

struct account {
    pthread_rwlock_t lock;
    int balance;
};

static struct account original, copy;

int main(void)
{
    pthread_rwlock_init(&original.lock, NULL);
    pthread_rwlock_wrlock(&original.lock);
    copy = original;
    pthread_rwlock_unlock(&original.lock);
    pthread_rwlock_rdlock(&copy.lock);
    return copy.balance;
}
