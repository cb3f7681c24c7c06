// steam: levels=O0
// race: total 13 13
/* A sum in parallel straight into the shared total. */
#include <pthread.h>

static const int values[4] = {1, 2, 3, 4};
static int total;

static void *reduce(void *from)
{
    const int *part = from;
    for (int i = 0; i < 2; i++)
        total += part[i];
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reduce, (void *)values);
    reduce((void *)(values + 2));
    pthread_join(thread, NULL);
    return total == 0;
}
