// steam: expect=assert
/* What was written before an assumption that does not hold could be seen. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile int word;

static void *write_and_assume(void *unused)
{
    word = 1;
    steam_assume(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_and_assume, NULL);
    assert(word == 0);
    pthread_join(thread, NULL);
    return 0;
}
