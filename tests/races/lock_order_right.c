// no race
/* Transfers in both directions lock both accounts, the lower address first. */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 5},
    {PTHREAD_MUTEX_INITIALIZER, 5},
};

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from < to ? from : to;
    struct account *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *back(void *unused)
{
    transfer(&accounts[1], &accounts[0], 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, back, NULL);
    transfer(&accounts[0], &accounts[1], 1);
    pthread_join(thread, NULL);
    assert(accounts[0].balance == 6 && accounts[1].balance == 4);
    return 0;
}
