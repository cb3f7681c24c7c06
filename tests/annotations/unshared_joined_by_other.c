// steam: expect=annotation
/* Main joins the thread that has the claim, and the third thread does not wait for that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <steam.h>

static atomic_int buffer;

static void *claim(void *unused)
{
    steam_unshared(&buffer, sizeof buffer);
    return unused;
}

static void *touch(void *unused)
{
    atomic_store(&buffer, 1); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, claim, NULL);
    pthread_create(&threads[1], NULL, touch, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
