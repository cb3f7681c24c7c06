// steam: expect=deadlock args=2 with=opttel.h endless
/* The model `opttel` on POSIX threads. */
#include <limits.h>
#include <pthread.h>

#include "opttel.h"

static void *run(void *number)
{
    operator_number((int)(long)number);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_t thread;
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    open_lines();
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < 2 * count; i++) {
        if (pthread_create(&thread, &small, run, (void *)(long)i) != 0)
            return 3;
    }
    pthread_join(thread, NULL);
    return 0;
}
