// no race
/* A pool of two workers takes the numbers of jobs from a shared counter under its lock. */
#include <assert.h>
#include <pthread.h>

enum { JOBS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static int results[JOBS];

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = next < JOBS ? next++ : -1;
        pthread_mutex_unlock(&lock);
        if (job < 0)
            return unused;
        results[job] = job * 10; /* no other worker has this job */
    }
}

int main(void)
{
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    assert(results[2] == 20);
    return 0;
}
