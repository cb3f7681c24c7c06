// ltl: holds weak G !(writing && readers > 0)
// ltl: violated weak G (wants -> F writing)
/* Readers that come whenever no writer is inside: they may hand on the door to each other for ever, and
   a writer that always gets its turn still never gets in. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int readers; /* -1: a writer is inside */
static int wants, writing;

static void *read_on(void *argument)
{
    for (;;) {
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
        wants = 1;
        while (!atomic_compare_exchange_strong(&readers, &none, -1))
            none = 0;
        writing = 1;
        writing = 0;
        wants = 0;
        atomic_store(&readers, 0);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, read_on, NULL);
    pthread_create(&threads[1], NULL, read_on, NULL);
    pthread_create(&threads[2], NULL, write_on, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
