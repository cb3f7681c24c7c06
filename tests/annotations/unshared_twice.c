// steam: expect=annotation
/* Both say that the buffer is theirs, and nothing keeps them apart. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static int buffer[2];

static void *work(void *unused)
{
    steam_unshared(buffer, sizeof buffer); /* ERROR */
    buffer[0]++;
    buffer[1]++;
    steam_shared(buffer, sizeof buffer);
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
