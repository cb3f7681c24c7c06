// steam: expect=use-after-return
/* The stack of a thread that has ended stays mapped until it is joined: a pointer to a variable there is stale. */
#include <pthread.h>
#include <stddef.h>

static _Atomic(int *) shown;

static void *work(void *unused)
{
    int count = 7;
    shown = &count;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int *count = shown;
    if (count != NULL)
        *count = 8; /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
