// no race
/* Atomic operations on plain variables, by pointers that are cast to atomic types. */
#include <pthread.h>
#include <stdatomic.h>

static int ready;
static struct { int count; } box;
static void *set(void *unused)
{
    atomic_store((_Atomic int *)&ready, 1);
    atomic_store_explicit((_Atomic int *)(&box.count), 1, memory_order_release);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    int first = atomic_load((_Atomic int *)&ready);
    int second = atomic_load_explicit((atomic_int *)(&box.count), memory_order_acquire);
    pthread_join(thread, NULL);
    return first + second > 2;
}
