// steam: expect=none states=300
/* Threads count their turns at a lock and sleep once they are many. How often they tried makes no difference. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int used;

static void *work(void *unused)
{
    struct timespec pause = {0, 1000};
    for (unsigned turns = 0; atomic_flag_test_and_set(&lock); ++turns)
        if (turns > 3)
            nanosleep(&pause, NULL);
    ++used;
    atomic_flag_clear(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    assert(used == 3);
}
