// no race
/* strlen reads up to the end of the string and not beyond it, so the rest of the array is free for
 * the other thread. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[16] = "head";

static void *write_tail(void *unused)
{
    strcpy(text + 8, "tail");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_tail, NULL);
    assert(strlen(text) == 4);
    pthread_join(thread, NULL);
    return 0;
}
