// steam: expect=annotation racy
/* A word across the border of two words may be torn. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct {
    char first;
    volatile int word;
} __attribute__((packed, aligned(4))) both;

static void *set(void *unused)
{
    both.word = -1; /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    steam_atomic(&both, sizeof both);
    pthread_create(&thread, NULL, set, NULL);
    set(NULL);
    pthread_join(thread, NULL);
    return 0;
}
