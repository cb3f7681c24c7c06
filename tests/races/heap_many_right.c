// no race
/* Many small blocks, more than the first piece of a thread's heap holds. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    for (int i = 0; i < 150; i++) {
        char *volatile block = malloc(1000);
        block[i] = 1;
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
