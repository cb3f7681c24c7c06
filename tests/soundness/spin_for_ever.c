// steam: expect=divergence
/* A loop that nobody ends, while another thread runs. */
#include <pthread.h>
#include <stddef.h>

static volatile int word;

static void *set(void *unused)
{
    word = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    word = 2;
    for (;;)
        ;
}
