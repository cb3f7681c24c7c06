// steam: expect=none
// fewer states
/* Two locks, taken in one order and given up after all accesses. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static struct account {
    pthread_mutex_t mutex;
    int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static int transfer(struct account *from, struct account *to, int amount)
{
    STEAM_OPERATION(accounts);
    pthread_mutex_lock(&accounts[0].mutex);
    pthread_mutex_lock(&accounts[1].mutex);
    int possible = from->balance >= amount;
    if (possible) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&accounts[0].mutex);
    pthread_mutex_unlock(&accounts[1].mutex);
    return possible;
}

static void *work(void *unused)
{
    transfer(&accounts[0], &accounts[1], 3);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    transfer(&accounts[1], &accounts[0], 2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VASSERT(accounts[0].balance + accounts[1].balance == 10);
    return 0;
}
