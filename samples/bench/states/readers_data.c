// steam: expect=none flags=-DREADERS=2,-DENTRIES=4
/* Readers copy a table under a read lock and work on their own copy; a writer changes the table meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef READERS
#define READERS 3
#endif
#ifndef ENTRIES
#define ENTRIES 8
#endif

struct reader {
    pthread_t thread;
    int *copy;
    int sum;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[ENTRIES];

static void *read_table(void *argument)
{
    struct reader *self = argument;
    pthread_rwlock_rdlock(&lock);
    memcpy(self->copy, table, sizeof table);
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < ENTRIES; i++) {
        self->copy[i] *= 2;
        self->sum += self->copy[i];
    }
    return NULL;
}

static void *write_table(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    for (int i = 0; i < ENTRIES; i++)
        table[i] = i + 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    struct reader readers[READERS];
    pthread_t writer;
    for (int i = 0; i < READERS; i++) {
        readers[i].copy = calloc(ENTRIES, sizeof(int));
        readers[i].sum = 0;
        pthread_create(&readers[i].thread, NULL, read_table, &readers[i]);
    }
    pthread_create(&writer, NULL, write_table, NULL);
    for (int i = 0; i < READERS; i++) {
        pthread_join(readers[i].thread, NULL);
        assert(readers[i].sum == 0 || readers[i].sum == ENTRIES * (ENTRIES + 1));
        free(readers[i].copy);
    }
    pthread_join(writer, NULL);
    return 0;
}
