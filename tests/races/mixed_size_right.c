// no race
/* Half words and bytes of one union that do not overlap. */
#include <assert.h>
#include <pthread.h>

static union {
    unsigned short halves[2];
    unsigned char bytes[4];
} word;

static void *low(void *unused)
{
    word.halves[0] = 0x1111;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, low, NULL);
    word.bytes[2] = 0x22;
    word.bytes[3] = 0x33;
    pthread_join(thread, NULL);
    assert(word.halves[0] == 0x1111 && word.halves[1] == 0x3322);
    return 0;
}
