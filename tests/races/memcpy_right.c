// no race
/* Two threads copy to the two halves of a buffer; it is read after the join. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[40];

static void *fill(void *half)
{
    memcpy(half, "0123456789012345678", 20);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, buffer);
    fill(buffer + 20);
    pthread_join(thread, NULL);
    assert(memcmp(buffer, buffer + 20, 20) == 0);
    return 0;
}
