// race: text 13 19
/* Whether a call writes depends on what a third thread has done meanwhile. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static char text;
static int ends[2], seen;

static void *receives(void *unused)
{
    read(ends[0], &text, 1);
    return unused;
}

static void *looks(void *unused)
{
    seen = text;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pipe2(ends, O_NONBLOCK);
    pthread_create(&threads[0], NULL, receives, NULL);
    pthread_create(&threads[1], NULL, looks, NULL);
    write(ends[1], "x", 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return seen > 1;
}
