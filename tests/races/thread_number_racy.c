// race: helper 14 22
/* A thread creates another one, and the first thread looks at its number without waiting. */
#include <pthread.h>
#include <stddef.h>

static pthread_t helper;

static void *help(void *unused)
{
    return unused;
}
static void *call_for_help(void *unused)
{
    pthread_create(&helper, NULL, help, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, call_for_help, NULL);
    pthread_t early = helper;
    pthread_join(thread, NULL);
    pthread_join(helper, NULL);
    return early == 1;
}
