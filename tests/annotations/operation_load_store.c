// steam: expect=annotation
/* Two atomic instructions are two operations. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int tickets;

static void *work(void *unused)
{
    STEAM_OPERATION(&tickets);
    int before = atomic_load(&tickets);
    atomic_store(&tickets, before + 1); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
