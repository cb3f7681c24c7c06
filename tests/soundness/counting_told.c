// steam: expect=assert
/* Whoever has tried often says so, which others see. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int contended;

static void *work(void *unused)
{
    for (unsigned turns = 0; atomic_flag_test_and_set(&lock); turns = (turns + 1) & 3)
        if (turns == 2)
            atomic_store(&contended, 1);
    assert(!atomic_load(&contended));
    atomic_flag_clear(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
