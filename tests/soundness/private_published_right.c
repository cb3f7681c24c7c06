// steam: expect=none states=180
/* A block is filled before anything can reach it, handed over under a lock, and used by the one who took it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    int parts[16];
    struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *queue;

static void put(int base)
{
    struct job *job = malloc(sizeof *job);
    for (int i = 0; i < 16; i++)
        job->parts[i] = base + i;
    pthread_mutex_lock(&lock);
    job->next = queue;
    queue = job;
    pthread_mutex_unlock(&lock);
}

static int work(void)
{
    pthread_mutex_lock(&lock);
    struct job *job = queue;
    if (job)
        queue = job->next;
    pthread_mutex_unlock(&lock);
    int sum = 0;
    for (int i = 0; job && i < 16; i++)
        sum += job->parts[i]++;
    free(job);
    return sum;
}

static void *worker(void *unused)
{
    (void)unused;
    int sum = work();
    assert(sum == 0 || sum == 120);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    put(0);
    work();
    pthread_join(thread, NULL);
    return 0;
}
