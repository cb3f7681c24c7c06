// steam: levels=O0,O1,O2
// no race
/* Atomic members of structs in an array on the heap, at indices that the compiler knows. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
    int plain;
    atomic_int count;
};

static struct cell *cells;
static atomic_short *shorts;

static void *work(void *unused)
{
    atomic_store_explicit(&cells[1].count, 1, memory_order_release);
    atomic_store_explicit(shorts + 1, 1, memory_order_release);
    return unused;
}

static int sum(const atomic_short *numbers)
{
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += atomic_load_explicit(&numbers[i], memory_order_acquire);
    return sum;
}

int main(void)
{
    pthread_t thread;
    cells = calloc(3, sizeof *cells);
    shorts = calloc(2, sizeof *shorts);
    pthread_create(&thread, NULL, work, NULL);
    int seen = cells[1].count + cells[2].count + sum(shorts);
    pthread_join(thread, NULL);
    free(cells);
    free(shorts);
    return seen > 2;
}
