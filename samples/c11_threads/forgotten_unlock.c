// steam: expect=deadlock always
/* C11 threads: on one way out of the function the mutex stays locked. */
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static int stock = 1;

static int buy(void *unused)
{
    (void)unused;
    mtx_lock(&lock); /* ERROR */
    if (stock == 0)
        return thrd_error;
    stock--;
    mtx_unlock(&lock);
    return thrd_success;
}

int main(void)
{
    thrd_t threads[3];
    mtx_init(&lock, mtx_plain);
    for (int i = 0; i < 3; i++)
        thrd_create(&threads[i], buy, NULL);
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], NULL);
    return 0;
}
