// steam: expect=joins-detached,assert
/* A thread detaches itself and ends, without another visible operation, while another one joins it. A join that has
 * begun waits for its end and returns 0; one that begins later is refused. */
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
    assert(result == EINVAL); /* ERROR */
    return 0;
}
