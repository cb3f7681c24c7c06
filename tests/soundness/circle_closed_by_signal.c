// steam: expect=deadlock
/* Two threads wait for each other once a third one, which runs on, has woken one of them. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_t waiter;
static int waits;

static void *wait(void *unused)
{
    pthread_mutex_lock(&mutex);
    waits = 1;
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *join(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (waits)
        pthread_join(waiter, NULL);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t joiner;
    pthread_create(&waiter, NULL, wait, NULL);
    pthread_create(&joiner, NULL, join, NULL);
    pthread_cond_signal(&condition);
    _exit(0);
}
