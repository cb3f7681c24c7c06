// steam: expect=none
/* What may be done to a thread that has ended is done before it is joined. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_kill(first, 0);
    pthread_cancel(first);
    pthread_join(first, NULL);
    pthread_detach(second);
    pthread_detach(pthread_self());
    return 0;
}
