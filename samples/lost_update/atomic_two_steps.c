// steam: expect=assert
/* Atomic accesses do not make an atomic update: each thread loads, adds and stores. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *work(void *unused)
{
    (void)unused;
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&count) == 2); /* ERROR */
    return 0;
}
