// no race
/* The one thread that the barrier chooses adds up what all have written; a second barrier lets the
 * others see the sum. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int parts[2], sum;

static void *work(void *part)
{
    *(int *)part = 5;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        sum = parts[0] + parts[1];
    pthread_barrier_wait(&barrier);
    assert(sum == 10);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, &parts[0]);
    work(&parts[1]);
    pthread_join(thread, NULL);
    return 0;
}
