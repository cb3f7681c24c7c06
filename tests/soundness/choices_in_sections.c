// steam: expect=none
/* Several ways to go on within an atomic section are no reason to let others come between. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile int word;
static int go;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!go)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *unused)
{
    assert(word == 0);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, wait, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    BEGINATOMIC
    word = 1;
    pthread_cond_signal(&condition);
    VTOSS(2);
    word = 0;
    ENDATOMIC
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
