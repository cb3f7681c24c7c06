// steam: expect=assert
/* A block that another thread frees may be the next one that main gets, or not: that depends on who
 * comes first. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *release(void *block)
{
    free(block);
    return NULL;
}

int main(void)
{
    enum { BLOCKS = 20 };
    void *blocks[BLOCKS];
    pthread_t thread;
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(40);
    pthread_create(&thread, NULL, release, blocks[3]);
    void *next = malloc(40);
    assert(next != blocks[3]); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
