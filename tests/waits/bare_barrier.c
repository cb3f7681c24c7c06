/* A barrier at which threads loop until the last one comes. The error needs no preemption: all threads come to the
   end. By plain counting each round needs several, because a thread that loops could look again at once. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 3 };

static atomic_int count, sense, passed;

static void barrier(void) {
    int before = atomic_load(&sense);
    if (atomic_fetch_add(&count, 1) == THREADS - 1) {
        atomic_store(&count, 0);
        atomic_store(&sense, 1 - before);
    } else {
        while (atomic_load(&sense) == before) ;
    }
}

static void *work(void *unused) {
    for (int round = 0; round < ROUNDS; ++round) {
        barrier();
        atomic_fetch_add(&passed, 1);
    }
    barrier();
    assert(atomic_load(&passed) != ROUNDS * THREADS);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
}
