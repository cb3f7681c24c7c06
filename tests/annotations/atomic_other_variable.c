// steam: expect=race
/* What is said of one variable does not count for another one beside it. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile struct {
    int flag, data;
} both;

static void *work(void *unused)
{
    both.flag = 1;
    both.data = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    STEAM_ATOMIC(both.flag);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
