// ltl: violated weak !(true U (crit1 && crit2))
// ltl: violated weak G !(crit1 && crit2)
// ltl: holds weak G (crit1 -> F !crit1)
/* Mutual exclusion that does not exclude, after the example of "A New Approach to Stateless Model
   Checking of LTL Properties": each thread looks whether the other is inside, and then goes in. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int busy;
static int crit1, crit2;

static void *first(void *argument)
{
    while (atomic_load(&busy))
        ;
    atomic_store(&busy, 1);
    crit1 = 1;
    crit1 = 0;
    atomic_store(&busy, 0);
    return argument;
}

static void *second(void *argument)
{
    while (atomic_load(&busy))
        ;
    atomic_store(&busy, 1);
    crit2 = 1;
    crit2 = 0;
    atomic_store(&busy, 0);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
