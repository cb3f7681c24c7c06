// no race
// race by C11 only: log 17 17
/* Turns given by a relaxed counter: the second one writes only after it has seen that the first one
 * went on. No race side by side; by C11 the relaxed operations order nothing. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int next, turn;
static int log;

static void *enter(void *unused)
{
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != mine)
        sched_yield();
    log = log * 2 + 1;
    atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, enter, NULL);
    enter(NULL);
    pthread_join(thread, NULL);
    return log != 3;
}
