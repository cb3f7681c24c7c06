// steam: expect=none
/* A buffer with room for one, as a Java monitor: two producers and two consumers wait for the same
 * condition, so each change wakes all of them. */
#include <assert.h>
#include <monitor.h>
#include <stddef.h>

static struct monitor buffer = MONITOR;
static int item;

static void put(int value)
{
    synchronized(&buffer) {
        while (item != 0)
            monitor_wait(&buffer);
        item = value;
        monitor_notify_all(&buffer);
    }
}

static int take(void)
{
    synchronized(&buffer) {
        while (item == 0)
            monitor_wait(&buffer);
        int value = item;
        item = 0;
        monitor_notify_all(&buffer);
        return value;
    }
    return 0;
}

static void *produce(void *value)
{
    put(*(int *)value);
    return NULL;
}

static void *consume(void *value)
{
    *(int *)value = take();
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    int given[2] = {1, 2}, taken[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, consume, &taken[i]);
        pthread_create(&threads[2 + i], NULL, produce, &given[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(taken[0] + taken[1] == 3);
    return 0;
}
