// steam: expect=assert spurious
/* A wait at a futex may end although no thread woke it. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void *wait(void *unused)
{
    if (ready == 0)
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(ready == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    ready = 1;
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
