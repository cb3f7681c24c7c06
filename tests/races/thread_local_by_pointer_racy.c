// race: own 9 18
/* A thread's own variable is its own no more once its address is given away. */
#include <pthread.h>

static __thread int own;

static void *peek(void *address)
{
    *(int *)address += 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    own = 1;
    pthread_create(&thread, NULL, peek, &own);
    int seen = own;
    pthread_join(thread, NULL);
    return seen == 0;
}
