// steam: expect=none args=2,2
/* A bank whose accounts have a lock each: transfers take the lock of the lower account first, and the
 * sum of all balances stays. The arguments are the numbers of clerks and of transfers for each. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ACCOUNTS = 4, BALANCE = 100, MAX = 8 };

struct account {
    pthread_mutex_t lock;
    int balance;
    int transfers;
};

static struct account accounts[ACCOUNTS];
static int transfers = 1;

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from < to ? from : to;
    struct account *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    from->transfers++;
    to->transfers++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *clerk(void *argument)
{
    int number = (int)(long)argument;
    for (int i = 0; i < transfers; i++) {
        int from = (number + i) % ACCOUNTS;
        transfer(&accounts[from], &accounts[(from + 1) % ACCOUNTS], 60);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t clerks[MAX];
    int number = argc > 1 ? atoi(argv[1]) : 2;
    transfers = argc > 2 ? atoi(argv[2]) : 1;
    if (number < 1 || number > MAX)
        return 2;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = BALANCE;
    }
    for (int i = 0; i < number; i++)
        pthread_create(&clerks[i], NULL, clerk, (void *)(long)i);
    for (int i = 0; i < number; i++)
        pthread_join(clerks[i], NULL);
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance;
    assert(sum == ACCOUNTS * BALANCE);
    return 0;
}
