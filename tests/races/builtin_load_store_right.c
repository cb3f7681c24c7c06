// steam: levels=O0,O1,O2
// no race
/* Atomic loads and stores of a plain variable, and nothing else that would tell. */
#include <pthread.h>
#include <stdlib.h>

static int ready;
static struct { int closed; } *door;

static void *work(void *unused)
{
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    __sync_lock_release(&door->closed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    door = calloc(1, sizeof *door);
    pthread_create(&thread, NULL, work, NULL);
    int seen = __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
    seen += __atomic_load_n(&door->closed, __ATOMIC_ACQUIRE);
    pthread_join(thread, NULL);
    free(door);
    return seen > 1;
}
