// no race
/* A hand-over with the conditions of C11. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int stage, value;

static int produce(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    value = 12;
    stage = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, produce, NULL);
    mtx_lock(&lock);
    while (stage == 0)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    assert(value == 12);
    thrd_join(thread, NULL);
    return 0;
}
