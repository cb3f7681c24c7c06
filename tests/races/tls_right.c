// no race
/* Each thread has its own copy of a thread-local variable. */
#include <assert.h>
#include <pthread.h>

static __thread int depth;

static int descend(int levels)
{
    depth++;
    int deepest = levels > 1 ? descend(levels - 1) : depth;
    depth--;
    return deepest;
}

static void *work(void *unused)
{
    assert(descend(2) == 2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    assert(descend(3) == 3);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
