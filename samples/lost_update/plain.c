// steam: expect=assert
/* Two threads count without a lock. `count++` reads and then writes, even where the compiler makes
 * one instruction of it: an update can get lost in between. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int count;

static void *work(void *unused)
{
    (void)unused;
    count++;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(count == 2); /* ERROR */
    return 0;
}
