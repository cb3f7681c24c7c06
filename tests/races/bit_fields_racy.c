// race: flags 12 20
/* Two bit-fields of one word: to write one is to read and write the other. */
#include <pthread.h>

static struct {
    unsigned running : 1;
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
    return !flags.running && !flags.dirty;
}
