// steam: expect=none
/* A table behind a read-write lock: readers look, one writer changes two entries together. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[2] = {5, 5};

static void *look(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    assert(table[0] + table[1] == 10);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *change(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    table[0]--;
    table[1]++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
