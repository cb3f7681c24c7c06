// steam: expect=joins-itself
/* A thread waits for itself, and does not see that the library refuses. */
#include <pthread.h>

static void *work(void *unused)
{
    pthread_join(pthread_self(), NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
