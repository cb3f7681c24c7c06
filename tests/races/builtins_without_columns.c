// steam: flags=-gno-column-info
// race in doubt: flag 10 18
/* Without columns a line does not tell which of its accesses is the builtin. */
#include <pthread.h>
#include <stddef.h>

static int flag;
static void *other(void *unused)
{
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int seen = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    pthread_join(thread, NULL);
    return seen > 1;
}
