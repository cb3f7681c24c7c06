// steam: expect=assert
/* Functions that look into a thread write their answers to variables that another one reads twice:
 * its name and its priority, and the result of one that has ended. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static volatile int policy = -1;
static char name[16];
static pthread_t ended;
static void *volatile result = (void *)&result;

static void *end(void *unused)
{
    return unused;
}

static void *look(void *unused)
{
    struct sched_param parameters;
    pthread_getschedparam(pthread_self(), (int *)&policy, &parameters);
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_tryjoin_np(ended, (void **)&result);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&ended, NULL, end, NULL);
    pthread_create(&thread, NULL, look, NULL);
    int sum = policy + *(volatile char *)name + (result == NULL);
    int same = policy + *(volatile char *)name + (result == NULL);
    assert(sum == same);
    pthread_join(thread, NULL);
    return 0;
}
