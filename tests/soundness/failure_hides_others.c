// steam: expect=assert
/* A thread fails in its first step, before the other one was seen to write what it reads. If that one
 * comes first, nothing fails and the program ends: the search must know both. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;

static void *prepare(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *rely(void *unused)
{
    (void)unused;
    assert(ready); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, prepare, NULL);
    pthread_create(&threads[1], NULL, rely, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
