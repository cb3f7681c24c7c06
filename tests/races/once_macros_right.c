// no race
/* Atomic operations behind macros, in a function that is inlined, and over several lines. */
#include <pthread.h>

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) STORE(x, value)
#define STORE(x, value) \
    __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)

static int stop, ready, counts[2];

static inline int load(int *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static void *work(void *unused)
{
    (void)unused;
    WRITE_ONCE(stop, 1);
    WRITE_ONCE(counts[1], 1);
    __atomic_store_n(
        &ready,
        1,
        __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = READ_ONCE(stop) + load(&ready) + READ_ONCE(counts[1]);
    pthread_join(thread, NULL);
    return seen > 3;
}
