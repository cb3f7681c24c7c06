// ltl: holds weak G !(inside[0] && inside[1])
// ltl: holds weak G (flag[0] != 0 -> F inside[0])
// ltl: holds weak G (flag[1] != 0 -> F inside[1])
// ltl: violated none G (flag[0] != 0 -> F inside[0])
/* Szymanski's mutual exclusion of two threads: a waiting room with a door, and one variable each.
   0 outside, 1 wants to get in, 2 waits for others to come in, 3 in the doorway, 4 has closed the door. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag[2];
static int inside[2];

static void *compete(void *argument)
{
    int self = *(int *)argument, other = 1 - self;
    for (;;) {
        atomic_store(&flag[self], 1);
        while (atomic_load(&flag[other]) >= 3)
            ;
        atomic_store(&flag[self], 3);
        if (atomic_load(&flag[other]) == 1) {
            atomic_store(&flag[self], 2);
            while (atomic_load(&flag[other]) != 4)
                ;
        }
        atomic_store(&flag[self], 4);
        if (self == 1)
            while (atomic_load(&flag[0]) >= 2)
                ;
        inside[self] = 1;
        inside[self] = 0;
        if (self == 0)
            for (;;) {
                int it = atomic_load(&flag[1]);
                if (it != 2 && it != 3)
                    break;
            }
        atomic_store(&flag[self], 0);
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
