// ltl: holds weak G (token == 0 -> F token == 1)
// ltl: holds weak G F token == 2
// ltl: violated none G F token == 2
// ltl: violated weak F G token == 0
// invariant: holds token >= 0 && token < 3
/* A token goes round: whoever has it hands it on. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { STATIONS = 3 };
static atomic_int token;

static void *station(void *argument)
{
    int self = *(int *)argument;
    for (;;) {
        while (atomic_load(&token) != self)
            ;
        atomic_store(&token, (self + 1) % STATIONS);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[STATIONS];
    int selves[STATIONS];
    for (int i = 0; i < STATIONS; i++) {
        selves[i] = i;
        pthread_create(&threads[i], NULL, station, &selves[i]);
    }
    for (int i = 0; i < STATIONS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
