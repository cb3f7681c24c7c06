// no race
/* A barrier of one's own: the last one to arrive turns the sense. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int arrived, open;
static int cells[2];

static void wait_for_all(void)
{
    if (atomic_fetch_add(&arrived, 1) == 1)
        atomic_store(&open, 1);
    while (!atomic_load(&open))
        sched_yield();
}

static void *work(void *argument)
{
    int me = *(int *)argument;
    cells[me] = 1;
    wait_for_all();
    assert(cells[1 - me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int zero = 0, one = 1;
    pthread_create(&thread, NULL, work, &zero);
    work(&one);
    pthread_join(thread, NULL);
    return 0;
}
