// steam: expect=none
// fewer states
/* Each call of `add` is one operation on the counter: one lock is held at every access to it. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct {
    pthread_mutex_t mutex;
    int value;
} counter = {PTHREAD_MUTEX_INITIALIZER, 0};

static int add(int amount)
{
    STEAM_OPERATION(&counter);
    pthread_mutex_lock(&counter.mutex);
    int before = counter.value;
    counter.value = before + amount;
    pthread_mutex_unlock(&counter.mutex);
    return before;
}

static void *work(void *unused)
{
    add(1);
    add(2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VASSERT(counter.value == 6);
    return 0;
}
