// steam: expect=assert racy levels=O0
/* A pointer lies at an odd address, where nobody looks for one. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char bytes[8];
static volatile int put;

static void *look(void *unused)
{
    (void)unused;
    if (put) {
        volatile int *box;
        memcpy(&box, bytes + 1, sizeof box);
        assert(*box == 2); /* ERROR */
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    volatile int *box = malloc(sizeof *box);
    *box = 1;
    memcpy(bytes + 1, &box, sizeof box);
    put = 1;
    *box = 2;
    pthread_join(thread, NULL);
    return 0;
}
