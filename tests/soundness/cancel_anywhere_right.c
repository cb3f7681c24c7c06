// steam: expect=none
/* A thread that may be cancelled anywhere: but not while something is half done. */
#include <assert.h>
#include <pthread.h>

static int x, y;

static void clean_up(void *unused)
{
    (void)unused;
    assert(x == y);
}

static void *work(void *unused)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    pthread_cleanup_push(clean_up, 0);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    x = 1;
    y = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
