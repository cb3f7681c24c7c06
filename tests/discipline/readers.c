// lacks nothing
// executions: 120
// composed: 16
/* Four threads read what a lock protects, and one writes it. The readers' sections commute with each other:
 * composed, it matters only who comes before the writer, and in which order those are does not. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int seen[4];

static void *read_it(void *argument)
{
    int i = (int)(long)argument;
    pthread_mutex_lock(&lock);
    seen[i] = value;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *write_it(void *argument)
{
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[5];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, read_it, (void *)i);
    pthread_create(&threads[4], NULL, write_it, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    return seen[0] + seen[1] + seen[2] + seen[3] > 4;
}
