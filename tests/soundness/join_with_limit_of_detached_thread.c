// steam: expect=joins-detached
/* A detached thread is joined, if it ends soon: nobody sees that the library refuses. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec limit = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_timedjoin_np(thread, NULL, &limit);
    return 0;
}
