// steam: expect=no-such-thread
/* A thread is named that was joined. */
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_detach(thread);
    return 0;
}
