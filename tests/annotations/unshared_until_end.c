// steam: expect=annotation
/* The claim is never given back, and the thread ends at once; yet its end may be late, and main does not
 * wait for it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int buffer;

static void *work(void *unused)
{
    steam_unshared(&buffer, sizeof buffer);
    atomic_store(&buffer, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&buffer, 2); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
