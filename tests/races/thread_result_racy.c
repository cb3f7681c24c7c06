// race: result 15 25
/* The result of a joined thread goes to a variable that a third thread reads. */
#include <pthread.h>
#include <stddef.h>

static void *result;

static void *work(void *unused)
{
    return unused;
}

static void *watch(void *unused)
{
    return result != unused ? &result : NULL;
}

int main(void)
{
    pthread_t worker, watcher;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&watcher, NULL, watch, NULL);
    /* Only now is the result written. */
    for (int i = 0; i < 1; i++)
        pthread_join(worker, &result);
    pthread_join(watcher, NULL);
    return 0;
}
