// steam: expect=assert args=2,1 racy
/* A bank whose accounts have a lock each: a transfer looks at what it may take, but changes the account
 * that is paid after it has given up its lock, so that money gets lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ACCOUNTS = 3, BALANCE = 100, MAX = 8 };

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
    int paid = from->balance >= amount ? amount : 0;
    from->balance -= paid;
    from->transfers++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    to->balance += paid;
}

static void *clerk(void *argument)
{
    int number = (int)(long)argument;
    for (int i = 0; i < transfers; i++) {
        int from = (number + i) % (ACCOUNTS - 1);
        transfer(&accounts[from], &accounts[ACCOUNTS - 1], 60);
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
    assert(sum == ACCOUNTS * BALANCE); /* ERROR */
    return 0;
}
