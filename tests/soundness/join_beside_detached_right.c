// steam: expect=none
/* One thread is detached and another one is joined. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>

static sem_t done;
static int written;

static void *detached(void *unused)
{
    pthread_detach(pthread_self());
    sem_post(&done);
    return unused;
}

static int joined(void *unused)
{
    (void)unused;
    written = 1;
    return 7;
}

int main(void)
{
    pthread_t first;
    thrd_t second;
    int result;
    sem_init(&done, 0, 0);
    pthread_create(&first, NULL, detached, NULL);
    thrd_create(&second, joined, NULL);
    thrd_join(second, &result);
    assert(written && result == 7);
    sem_wait(&done);
    return 0;
}
