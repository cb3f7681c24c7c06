// steam: expect=null-access
/* Double-checked initialisation with a flag that is set too early: the other thread finds the flag
 * and not yet the table. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int *_Atomic table;

static void *look(void *unused)
{
    (void)unused;
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            atomic_store(&ready, 1);
            atomic_store(&table, calloc(2, sizeof(int)));
        }
        pthread_mutex_unlock(&lock);
    }
    int *seen = atomic_load(&table);
    *(volatile int *)seen = 1; /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(table);
    return 0;
}
