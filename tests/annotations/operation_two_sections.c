// steam: expect=annotation
/* Every access is under the lock, and yet `add` is not one operation: others come between the two
 * sections. No assertion fails and there is no race; the claim alone is wrong. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct {
    pthread_mutex_t mutex;
    int value;
} counter = {PTHREAD_MUTEX_INITIALIZER, 0};

static int get(void)
{
    pthread_mutex_lock(&counter.mutex);
    int value = counter.value;
    pthread_mutex_unlock(&counter.mutex);
    return value;
}

static void set(int value)
{
    pthread_mutex_lock(&counter.mutex); /* ERROR */
    counter.value = value;
    pthread_mutex_unlock(&counter.mutex);
}

static void *work(void *unused)
{
    STEAM_OPERATION(&counter);
    set(get() + 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
