// race: accounts[1].balance 21 21
/* A transfer locks the account that it takes from, and not the one that it gives to. */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[3] = {
    {PTHREAD_MUTEX_INITIALIZER, 5},
    {PTHREAD_MUTEX_INITIALIZER, 5},
    {PTHREAD_MUTEX_INITIALIZER, 5},
};

static void *give_to_middle(void *argument)
{
    struct account *from = argument;
    pthread_mutex_lock(&from->lock);
    from->balance -= 1;
    accounts[1].balance += 1;
    pthread_mutex_unlock(&from->lock);
    return NULL;
}

int main(void)
{
    pthread_t left, right;
    pthread_create(&left, NULL, give_to_middle, &accounts[0]);
    pthread_create(&right, NULL, give_to_middle, &accounts[2]);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    return accounts[0].balance + accounts[2].balance != 8;
}
