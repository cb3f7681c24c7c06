// steam: expect=none
/* C11 threads: mutex, condition variable, call_once, thread-specific storage, results of threads. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t arrived;
static tss_t own;
static int present, prepared;

static void prepare(void)
{
    mtx_init(&lock, mtx_plain);
    cnd_init(&arrived);
    tss_create(&own, NULL);
    prepared++;
}

static int meet(void *number)
{
    call_once(&flag, prepare);
    tss_set(own, number);
    mtx_lock(&lock);
    present++;
    cnd_broadcast(&arrived);
    while (present < 2)
        cnd_wait(&arrived, &lock);
    mtx_unlock(&lock);
    return *(int *)tss_get(own);
}

int main(void)
{
    thrd_t threads[2];
    int numbers[2] = {10, 20}, results[2];
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], meet, &numbers[i]);
    for (int i = 0; i < 2; i++)
        thrd_join(threads[i], &results[i]);
    assert(results[0] == 10 && results[1] == 20 && prepared == 1);
    return 0;
}
