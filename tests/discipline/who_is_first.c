// lacks: word
/* Two threads read a word, one of them without the lock, and both write it under the lock later. If the one
 * without the lock reads first, it has the word to itself; if it comes second, the word is shared by then. */
#include <pthread.h>

static int word;
int sums[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    sums[0] = word;
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    word++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *bare(void *unused)
{
    sums[1] = word;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, locked, NULL);
    pthread_create(&threads[1], NULL, bare, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
