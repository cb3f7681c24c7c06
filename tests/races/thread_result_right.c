// no race
/* A result comes back through pthread_exit and pthread_join, in a block of the thread's own. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *input)
{
    int *result = malloc(sizeof *result);
    *result = *(int *)input + 1;
    pthread_exit(result);
}

int main(void)
{
    pthread_t thread;
    void *result;
    int input = 1;
    pthread_create(&thread, NULL, work, &input);
    pthread_join(thread, &result);
    assert(*(int *)result == 2);
    free(result);
    return 0;
}
