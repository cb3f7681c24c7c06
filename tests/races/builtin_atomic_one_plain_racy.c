// race in doubt: level 9 18
/* One access forgets the builtin. */
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
    level = 5;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return level > 7;
}
