// race: new_id::next 9 9
/* A static local variable of C has no guard. */
#include <pthread.h>
#include <stdint.h>

static int new_id(void)
{
    static int next = 100;
    return next++;
}

static void *work(void *unused)
{
    return new_id() < 100 ? (void *)(intptr_t)1 : unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
