// steam: expect=annotation
/* A library function touches what another thread has claimed. The owner does nothing with it, so that there is no
 * race. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>
#include <string.h>

static char buffer[64], other[64];
static volatile size_t length = sizeof buffer;

static void *touch(void *unused)
{
    memcpy(buffer, other, length); /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, touch, NULL);
    steam_unshared(buffer, sizeof buffer);
    steam_shared(buffer, sizeof buffer);
    pthread_join(thread, NULL);
    return 0;
}
