/* A lock that looks at two words before it tries: no single step of its loop leaves everything as it was. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, stopped;
static int used;

static void *work(void *unused) {
    for (int i = 0; i < 2; ++i) {
        do {
            while (atomic_load(&lock) && atomic_load(&stopped) < 100) {}
        } while (atomic_exchange(&lock, 1));
        ++used;
        atomic_store(&lock, 0);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    atomic_store(&stopped, 1);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return used != 6;
}
