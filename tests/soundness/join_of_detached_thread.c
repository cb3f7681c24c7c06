// steam: expect=joins-detached
/* A thread that has detached itself is joined: the library refuses at once, and nobody sees that. */
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
    pthread_join(thread, NULL);
    return 0;
}
