// no race
/* A buffer for each thread, found by pthread_getspecific and freed by the key's destructor. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static int *buffer(void)
{
    int *mine = pthread_getspecific(key);
    if (mine == NULL) {
        mine = calloc(2, sizeof *mine);
        pthread_setspecific(key, mine);
    }
    return mine;
}

static void *work(void *unused)
{
    buffer()[0]++;
    assert(buffer()[0] == 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_key_create(&key, free);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_key_delete(key);
    return 0;
}
