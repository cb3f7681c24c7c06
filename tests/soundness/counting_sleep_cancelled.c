// steam: expect=assert
/* A thread that has tried often sleeps, and can be cancelled there and nowhere else. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *await(void *unused)
{
    struct timespec pause = {0, 1000};
    for (unsigned turns = 0; !atomic_load(&ready); turns = (turns + 1) & 3)
        if (turns == 2)
            nanosleep(&pause, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, await, NULL);
    pthread_cancel(thread);
    atomic_store(&ready, 1);
    pthread_join(thread, &result);
    assert(result != PTHREAD_CANCELED);
}
