// steam: expect=none
/* One atomic instruction is one operation, with private work around it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int tickets;
static int taken[2];

static void *work(void *slot)
{
    STEAM_OPERATION(&tickets);
    int *own = slot;
    *own = -1;
    *own = atomic_fetch_add(&tickets, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &taken[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VASSERT(taken[0] + taken[1] == 1);
    return 0;
}
