// race: sum 11 22
/* The threads of C11: one side forgets the mutex. */
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
    thrd_t thread;
    int amount = 2, status;
    mtx_init(&lock, mtx_plain);
    thrd_create(&thread, add, &amount);
    sum += 3;
    thrd_join(thread, &status);
    return status || sum == 0;
}
