/* What a thread does after it has yielded may come before the others do anything. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int written;

static void *look(void *unused) {
    assert(!atomic_load(&written));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    sched_yield();
    atomic_store(&written, 1);
    pthread_join(thread, NULL);
}
