// steam: expect=none
// fewer states
/* Each of two threads takes a buffer from a pool, works on it and puts it back. Any buffer may come to
 * any thread, but to one at a time. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

enum { BUFFERS = 2, WORDS = 4 };

static int buffers[BUFFERS][WORDS];
static int *unused[BUFFERS] = {buffers[0], buffers[1]};
static int count = BUFFERS;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int *take(void)
{
    pthread_mutex_lock(&mutex);
    int *buffer = unused[--count];
    pthread_mutex_unlock(&mutex);
    steam_unshared(buffer, sizeof buffers[0]);
    return buffer;
}

static void put(int *buffer)
{
    steam_shared(buffer, sizeof buffers[0]);
    pthread_mutex_lock(&mutex);
    unused[count++] = buffer;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
    int *buffer = take();
    for (int i = 0; i < WORDS; i++)
        buffer[i]++;
    put(buffer);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < WORDS; i++)
        VASSERT(buffers[0][i] + buffers[1][i] == 2);
    return 0;
}
