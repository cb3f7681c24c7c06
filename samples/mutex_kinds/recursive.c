// steam: expect=none
/* A recursive mutex: deposit locks, and transfer, which calls it, locks too. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int accounts[2] = {10, 10};

static void deposit(int account, int amount)
{
    pthread_mutex_lock(&lock);
    accounts[account] += amount;
    pthread_mutex_unlock(&lock);
}

static void *transfer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    deposit(0, -5);
    deposit(1, 5);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *audit(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    assert(accounts[0] + accounts[1] == 20);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_create(&threads[0], NULL, transfer, NULL);
    pthread_create(&threads[1], NULL, audit, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
