// no race
/* A plain integer that is only accessed by the compiler's atomic builtins. The load and the store
 * are plain moves for the machine. */
#include <assert.h>
#include <pthread.h>

static int level;

static void *raise_level(void *unused)
{
    __atomic_fetch_add(&level, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, raise_level, NULL);
    int seen = __atomic_load_n(&level, __ATOMIC_SEQ_CST);
    assert(seen >= 0 && seen <= 2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
