// steam: expect=assert
/* Main ends and is joined; the threads that are created then run at the same time, though main's number
 * is free. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int x;
static pthread_t first;

static void *work(void *unused)
{
    (void)unused;
    x = 0;
    x++;
    assert(x == 1); /* ERROR */
    return NULL;
}

static void *heir(void *unused)
{
    pthread_t threads[2];
    (void)unused;
    pthread_join(first, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, heir, NULL);
    pthread_exit(NULL);
}
