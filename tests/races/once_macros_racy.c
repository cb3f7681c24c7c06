// race: stop 14 22
/* A macro that looks like an atomic operation and is none. */
#include <pthread.h>

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) ((x) = (value))

static int stop, seen;

static void *work(void *unused)
{
    (void)unused;

    WRITE_ONCE(stop, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    seen = READ_ONCE(stop);
    pthread_join(thread, NULL);
    return seen > 1;
}
