// no race
/* A table is made by whoever needs it first; the test is made under the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static int *get_table(void)
{
    pthread_mutex_lock(&lock);
    if (table == NULL) {
        table = malloc(4 * sizeof *table);
        for (int i = 0; i < 4; i++)
            table[i] = i * i;
    }
    pthread_mutex_unlock(&lock);
    return table;
}

static void *use(void *unused)
{
    assert(get_table()[2] == 4);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    free(table);
    return 0;
}
