// race: name[0] 11 19
/* The name of a thread goes to a variable that another thread reads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static char name[16];

static void *ask(void *unused)
{
    pthread_getname_np(pthread_self(), name, sizeof name);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ask, NULL);
    int early = name[0];
    pthread_join(thread, NULL);
    return early < 0;
}
