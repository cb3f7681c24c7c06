// steam: expect=assert
/* A handler may come in the middle of what its thread does to its own: a true claim must not hide what
 * follows from that. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <steam.h>

static volatile int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number)
{
    value += number;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    steam_unshared(&value, sizeof value);
    int before = value;
    value = before + 1;
    VASSERT(value == before + 1);
    steam_shared(&value, sizeof value);
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
