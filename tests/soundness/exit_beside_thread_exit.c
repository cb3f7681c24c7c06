// steam: expect=none
/* Main returns while threads are in pthread_exit, which unwinds their stacks: no error, though the
 * start-up code of static programs takes the unwinder's tables away. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *result)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    pthread_exit(result);
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return 0;
}
