// race: level 10 10
// race: level 10 19
/* Two threads add in the plain way; that main uses the builtin does not help. */
#include <pthread.h>

static int level;

static void *add_plainly(void *unused)
{
    level += 2;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add_plainly, NULL);
    __atomic_fetch_add(&level, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return level == 0;
}
