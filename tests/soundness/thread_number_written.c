// steam: expect=assert
/* A thread creates another one, whose number goes to a variable that the first thread reads twice. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile pthread_t helper;

static void *help(void *unused)
{
    return unused;
}

static void *call_for_help(void *unused)
{
    pthread_create((pthread_t *)&helper, NULL, help, NULL);
    pthread_join(helper, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, call_for_help, NULL);
    int before = helper != 0;
    int behind = helper != 0;
    assert(before == behind);
    pthread_join(thread, NULL);
    return 0;
}
