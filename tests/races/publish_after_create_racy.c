// race: worker.id 13 20
/* The creator fills in the number after the thread has begun to run. */
#include <pthread.h>

static struct {
    pthread_t thread;
    int id;
    int result;
} worker;

static void *work(void *unused)
{
    worker.result = worker.id;
    return unused;
}

int main(void)
{
    pthread_create(&worker.thread, NULL, work, NULL);
    worker.id = 17;
    pthread_join(worker.thread, NULL);
    return worker.result != 0 && worker.result != 17;
}
