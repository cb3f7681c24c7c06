// no race
/* A pointer goes through a pipe: what was written before the write is seen after the read. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *send(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 6;
    if (write(ends[1], &block, sizeof block) != sizeof block)
        abort();
    return unused;
}

int main(void)
{
    pthread_t sender;
    int *block;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&sender, NULL, send, NULL);
    if (read(ends[0], &block, sizeof block) != sizeof block)
        return 1;
    assert(*block == 6);
    free(block);
    pthread_join(sender, NULL);
    return 0;
}
