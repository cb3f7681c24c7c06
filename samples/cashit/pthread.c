// steam: expect=assert args=2 with=cashit.h
/* The model `cashit` on POSIX threads. */
#include <limits.h>
#include <pthread.h>

#include "cashit.h"

static void *run(void *user)
{
    serve((int)(long)user);
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    pthread_attr_t small;
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 1 || count > MOST)
        return 2;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < count; i++) {
        if (pthread_create(&threads[i], &small, run, (void *)(long)(i + 2)) != 0)
            return 3;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
