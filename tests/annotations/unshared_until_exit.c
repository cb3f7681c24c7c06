// steam: expect=annotation
/* The program ends while its buffer is claimed; before that, the other thread may touch it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int buffer;

static void *touch(void *unused)
{
    atomic_store(&buffer, 2); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, touch, NULL);
    steam_unshared(&buffer, sizeof buffer);
    atomic_store(&buffer, 1);
    return 0;
}
