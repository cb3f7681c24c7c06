// no race
/* Blocks go through a list with a lock; who takes one owns it, writes to it and frees it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    struct job *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER;
static struct job *jobs;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (jobs == NULL)
        pthread_cond_wait(&added, &lock);
    struct job *job = jobs;
    jobs = job->next;
    pthread_mutex_unlock(&lock);
    job->value++;
    assert(job->value == 8);
    free(job);
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    struct job *job = malloc(sizeof *job);
    job->value = 7;
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_cond_signal(&added);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return 0;
}
