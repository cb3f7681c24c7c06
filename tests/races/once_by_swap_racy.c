// race: value 12 13
/* An atomic exchange makes one thread only set up the value, but the others do not wait for it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool begun;
static int value;

static void *use(void *result)
{
    if (!atomic_exchange(&begun, 1))
        value = 6;
    *(int *)result = value;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int results[2];
    pthread_create(&thread, NULL, use, &results[0]);
    use(&results[1]);
    pthread_join(thread, NULL);
    return results[0] + results[1] == 0;
}
