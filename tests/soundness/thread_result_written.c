// steam: expect=assert
/* The result of a joined thread goes to a variable that a third thread reads twice. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *volatile result = (void *)&result;

static void *work(void *unused)
{
    return unused;
}

static void *watch(void *unused)
{
    int before = result == NULL;
    int behind = result == NULL;
    assert(before == behind);
    return unused;
}

int main(void)
{
    pthread_t worker, watcher;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&watcher, NULL, watch, NULL);
    pthread_join(worker, (void **)&result);
    pthread_join(watcher, NULL);
    return 0;
}
