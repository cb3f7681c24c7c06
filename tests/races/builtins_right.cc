// steam: levels=O0,O1,O2
// no race
/* Builtins on plain variables. */
#include <pthread.h>

static int ready, cells[3];
static int *where = &cells[1];
static long long wide;
static struct { char pad, flag; } box, *boxed = &box;

#define READ_ONCE(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)

static inline int load(int *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }

static void *other(void *)
{
    __atomic_store_n(&cells[1], 4, __ATOMIC_RELAXED);
    __atomic_store_n(&boxed->flag, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&wide, 5, __ATOMIC_SEQ_CST);
    __atomic_store_n(
        &ready,
        1,
        __ATOMIC_RELEASE);
    __sync_lock_release(&cells[2]);
    return nullptr;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, other, nullptr);
    int sum = __atomic_load_n(&ready, __ATOMIC_ACQUIRE) + load(where) + READ_ONCE(box.flag);
    if (__atomic_load_n(&wide, __ATOMIC_SEQ_CST) > 5)
        sum++;
    sum += __sync_fetch_and_add(&cells[2], 0);
    pthread_join(thread, nullptr);
    return sum > 99;
}
