// steam: levels=O2
// no race
/* A short and a byte beside each other, each written by one thread. */
#include <assert.h>
#include <pthread.h>

static struct {
    char kind;
    char level;
    short code;
} message;

static void *set_code(void *unused)
{
    message.code = 0x1234;
    return unused;
}

static void *set_level(void *unused)
{
    message.level = 3;
    return unused;
}

int main(void)
{
    pthread_t coder, leveller;
    pthread_create(&coder, NULL, set_code, NULL);
    pthread_create(&leveller, NULL, set_level, NULL);
    message.kind = 1;
    pthread_join(coder, NULL);
    pthread_join(leveller, NULL);
    assert(message.kind == 1 && message.level == 3 && message.code == 0x1234);
    return 0;
}
