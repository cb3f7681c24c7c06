// steam: expect=assert args=3 with=leader.h
/* The model `leader` on POSIX threads. */
#include <limits.h>
#include <pthread.h>

#include "leader.h"

static void *run(void *place)
{
    node((int)(long)place);
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    pthread_attr_t small;
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    open_channels();
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < count; i++) {
        if (pthread_create(&threads[i], &small, run, (void *)(long)i) != 0)
            return 3;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
