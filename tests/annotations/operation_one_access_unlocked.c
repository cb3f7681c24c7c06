// steam: expect=annotation
/* `add` holds its lock all the time, and that does not help: `peek` looks without it. So `add` reads and
 * then writes what no lock protects. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int first, second;

static void *add(void *unused)
{
    STEAM_OPERATION(&first);
    pthread_mutex_lock(&mutex);
    atomic_store(&first, 1);
    atomic_store(&second, 1); /* ERROR */
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *peek(void *unused)
{
    int late = atomic_load(&second);
    return late && !atomic_load(&first) ? &first : unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, add, NULL);
    pthread_create(&threads[1], NULL, peek, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
