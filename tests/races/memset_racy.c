// race: page 10 19
/* One thread wipes a page while the other one looks for a byte in it. */
#include <pthread.h>
#include <string.h>

static char page[64];

static void *wipe(void *length)
{
    memset(page, 'x', *(size_t *)length);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    size_t length = sizeof page;
    pthread_create(&thread, NULL, wipe, &length);
    char *found = memchr(page, 'y', length);
    pthread_join(thread, NULL);
    return found != NULL;
}
