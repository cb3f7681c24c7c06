// steam: expect=annotation
/* The other thread touches the buffer while it is claimed: nothing keeps the two apart. The accesses
 * are atomic, so there is no race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int buffer[2];

static void *touch(void *unused)
{
    atomic_store(&buffer[1], 7); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, touch, NULL);
    steam_unshared(buffer, sizeof buffer);
    atomic_store(&buffer[0], 1);
    atomic_store(&buffer[1], 1);
    steam_shared(buffer, sizeof buffer);
    pthread_join(thread, NULL);
    return 0;
}
