// race: result 9 20
/* Nobody waits for a detached thread, and main reads what it may be about to write. */
#include <pthread.h>

static int result;

static void *work(void *unused)
{
    result = 8;
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    return result != 0 && result != 8;
}
