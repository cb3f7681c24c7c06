// no race
/* Both threads allocate, use and free: the library's own data need no care. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    int *block = malloc(3 * sizeof *block);
    block[2] = 1;
    block = realloc(block, 40 * sizeof *block);
    assert(block[2] == 1);
    free(block);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
