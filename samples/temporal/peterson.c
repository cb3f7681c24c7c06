// ltl: holds weak G !(inside[0] && inside[1])
// ltl: holds weak G (wants[0] -> F inside[0])
// ltl: violated none G (wants[0] -> F inside[0])
/* Peterson's mutual exclusion, for ever: who wants to get in gets in, if each thread gets its turn. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int inside[2];

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    for (;;) {
        atomic_store(&wants[self], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        inside[self] = 1;
        inside[self] = 0;
        atomic_store(&wants[self], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compete, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
