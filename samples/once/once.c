// steam: expect=none
/* A table that whoever comes first makes, by pthread_once. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table, made;

static void make(void)
{
    table = malloc(2 * sizeof *table);
    table[0] = table[1] = 7;
    made++;
}

static void *look(void *unused)
{
    (void)unused;
    pthread_once(&once, make);
    assert(table != NULL && table[1] == 7);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    free(table);
    return 0;
}
