// steam: expect=none
/* Two threads take turns by two semaphores: ping, pong, ping, pong. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { ROUNDS = 2 };

static sem_t may_ping, may_pong;
static int pings, pongs;

static void *ping(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&may_ping);
        assert(pings == pongs);
        pings++;
        sem_post(&may_pong);
    }
    return NULL;
}

static void *pong(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&may_pong);
        assert(pings == pongs + 1);
        pongs++;
        sem_post(&may_ping);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&may_ping, 0, 1);
    sem_init(&may_pong, 0, 0);
    pthread_create(&first, NULL, ping, NULL);
    pthread_create(&second, NULL, pong, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(pings == ROUNDS && pongs == ROUNDS);
    sem_destroy(&may_ping);
    sem_destroy(&may_pong);
    return 0;
}
