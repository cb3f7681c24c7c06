// steam: expect=use-after-return
/* The library does not give a small stack back to the system when its thread ends: it is nobody's all the same. */
#include <limits.h>
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
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_create(&thread, &attributes, work, NULL);
    int *count = shown;
    if (count != NULL)
        *count = 8; /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
