// ltl: holds weak G !(writing && readers > 0)
// ltl: holds weak G (wants -> F writing)
// ltl: violated none G (wants -> F writing)
/* Readers that let a waiting writer go first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int readers; /* -1: a writer is inside */
static atomic_int wants;
static int writing;

static void *read_on(void *argument)
{
    for (;;) {
        if (atomic_load(&wants))
            continue;
        int inside = atomic_load(&readers);
        if (inside < 0 || !atomic_compare_exchange_strong(&readers, &inside, inside + 1))
            continue;
        atomic_fetch_sub(&readers, 1);
    }
    return argument;
}

static void *write_on(void *argument)
{
    for (;;) {
        int none = 0;
        atomic_store(&wants, 1);
        while (!atomic_compare_exchange_strong(&readers, &none, -1))
            none = 0;
        writing = 1;
        writing = 0;
        atomic_store(&wants, 0);
        atomic_store(&readers, 0);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read_on, NULL);
    pthread_create(&threads[1], NULL, write_on, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
