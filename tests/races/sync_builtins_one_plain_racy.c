// race: visits 11 19
// race by C11 only: visits 11 20
/* A counter of the older builtins is read and set back in the plain way; it is set back only once
 * the thread has counted. */
#include <pthread.h>

static int visits;

static void *visit(void *unused)
{
    __sync_add_and_fetch(&visits, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, visit, NULL);
    if (visits > 0)
        visits = 0;
    pthread_join(thread, NULL);
    return visits > 1;
}
