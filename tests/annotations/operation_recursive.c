// steam: expect=none
// fewer states
/* A recursive lock that is taken and given up within itself; the inner call is an operation, too. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int value;

static void add(int amount)
{
    STEAM_OPERATION(&value);
    pthread_mutex_lock(&mutex);
    value += amount;
    pthread_mutex_unlock(&mutex);
}

static void *twice(void *unused)
{
    STEAM_OPERATION(&value);
    pthread_mutex_lock(&mutex);
    add(1);
    add(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    twice(NULL);
    pthread_join(thread, NULL);
    VASSERT(value == 4);
    return 0;
}
