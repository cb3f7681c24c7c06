// steam: expect=use-after-return
/* The same of a detached thread, whose stack is another one's as soon as that is created. */
#include <pthread.h>
#include <stddef.h>

static _Atomic(int *) shown;

static void *work(void *unused)
{
    int count = 7;
    shown = &count;
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    int *count = shown;
    return count != NULL && *count == 8; /* ERROR */
}
