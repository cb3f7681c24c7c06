// no race
/* The threads and mutexes of C11. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int sum;

static int add(void *amount)
{
    mtx_lock(&lock);
    sum += *(int *)amount;
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t threads[2];
    int amounts[2] = {2, 3};
    mtx_init(&lock, mtx_plain);
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], add, &amounts[i]);
    for (int i = 0; i < 2; i++)
        thrd_join(threads[i], NULL);
    assert(sum == 5);
    mtx_destroy(&lock);
    return 0;
}
