// no race
/* Double-checked locking as C11 allows it: the pointer is atomic, published with release and read
 * with acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) config;

static struct settings *settings(void)
{
    struct settings *known = atomic_load_explicit(&config, memory_order_acquire);
    if (known == NULL) {
        pthread_mutex_lock(&lock);
        known = atomic_load_explicit(&config, memory_order_relaxed);
        if (known == NULL) {
            known = malloc(sizeof *known);
            known->limit = 7;
            atomic_store_explicit(&config, known, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return known;
}

static void *use(void *unused)
{
    assert(settings()->limit == 7);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    free(config);
    return 0;
}
