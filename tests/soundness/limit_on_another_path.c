// steam: expect=assert
/* A path on which more memory is asked for than our layout has, and an error on another one. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <steam.h>

static int x;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *block = malloc(steam_toss(1) ? 0x70000000 : 16);
    if (!block)
        return 0;
    pthread_create(&thread, 0, set, 0);
    assert(x == 0); /* ERROR */
    pthread_join(thread, 0);
    return 0;
}
