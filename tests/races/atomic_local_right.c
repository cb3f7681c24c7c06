// no race
/* An atomic variable on main's stack, lent by its address. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *work(void *argument)
{
    atomic_int *left = argument;
    *left -= 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    atomic_int left = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &left);
    int seen = left;
    assert(seen >= 0 && seen <= 2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(left == 0);
    return 0;
}
