// steam: expect=joins-detached
/* The same; the program takes both answers. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused)
{
    pthread_detach(pthread_self());
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int result = pthread_join(thread, NULL);
    assert(result == 0 || result == EINVAL);
    return 0;
}
