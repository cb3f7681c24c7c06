// steam: expect=assert
/* All that a thread does is to look whether it is to end, and to clean up. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void *unused)
{
    (void)unused;
    cleaned = 1;
}

static void *looks(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, looks, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(!cleaned); /* ERROR */
    return 0;
}
