// no race
/* A bit-field of no width puts the next one into a word of its own. */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned running : 1;
    unsigned : 0;
    unsigned dirty : 1;
} flags;

static void *start(void *unused)
{
    flags.running = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    flags.dirty = 1;
    pthread_join(thread, NULL);
    assert(flags.running && flags.dirty);
    return 0;
}
