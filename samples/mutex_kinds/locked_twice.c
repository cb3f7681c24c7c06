// steam: expect=deadlock always
/* The same with a normal mutex: the thread waits for itself. Other threads can still end. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int accounts[2] = {10, 10};

static void deposit(int account, int amount)
{
    pthread_mutex_lock(&lock); /* ERROR */
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

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, transfer, NULL);
    pthread_create(&threads[1], NULL, idle, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
