// steam: expect=none args=3
/* Threads that count under a lock lose nothing. The argument is their number. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MAX = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MAX];
    int number = argc > 1 ? atoi(argv[1]) : 2;
    if (number < 1 || number > MAX)
        return 2;
    for (int i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    assert(count == number);
    return 0;
}
