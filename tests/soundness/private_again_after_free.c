// steam: expect=use-after-free,assert racy
/* A thread keeps a pointer to a block that was freed: what is allocated there next is not the creator's alone. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile kept;

static void *look(void *unused)
{
    (void)unused;
    assert(*(volatile int *)kept != 1); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    kept = calloc(1, sizeof(int));
    pthread_create(&thread, NULL, look, NULL);
    free(kept);
    for (int i = 0; i < 3; i++) {
        volatile int *other = calloc(1, sizeof *other);
        *other = 1;
        *other = 2;
        free((void *)other);
    }
    pthread_join(thread, NULL);
    return 0;
}
