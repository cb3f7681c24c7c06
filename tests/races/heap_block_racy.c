// race: job.value 20 34
/* The block is queued under the lock, and its giver goes on writing to it. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *waiting;

static void *work(void *result)
{
    pthread_mutex_lock(&lock);
    struct job *job = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    if (job != NULL)
        *(int *)result = job->value;
    return NULL;
}

int main(void)
{
    pthread_t worker;
    int result = 0;
    pthread_create(&worker, NULL, work, &result);
    struct job *job = malloc(sizeof *job);
    job->value = 1;
    pthread_mutex_lock(&lock);
    waiting = job;
    pthread_mutex_unlock(&lock);
    job->value = 2;
    pthread_join(worker, NULL);
    free(job);
    return result > 2;
}
