/* Peterson's filter lock: each of three threads goes through it again and again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3 };
static atomic_int level[THREADS], last[THREADS], inside;

static int others(int self, int from)
{
    for (int i = 0; i < THREADS; i++)
        if (i != self && atomic_load(&level[i]) >= from)
            return 1;
    return 0;
}

static void *visitor(void *argument)
{
    int self = *(int *)argument;
    for (;;) {
        for (int i = 1; i < THREADS; i++) {
            atomic_store(&level[self], i);
            atomic_store(&last[i], self);
            while (atomic_load(&last[i]) == self && others(self, i))
                ;
        }
        atomic_store(&inside, self + 1);
        atomic_store(&inside, 0);
        atomic_store(&level[self], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int selves[THREADS];
    for (int i = 0; i < THREADS; i++) {
        selves[i] = i;
        pthread_create(&threads[i], NULL, visitor, &selves[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
