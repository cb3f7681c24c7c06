// steam: expect=assert
/* The shared variable is a local of main: both threads get its address. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    int balance;
    int deposits;
};

static void *deposit(void *argument)
{
    struct account *account = argument;
    account->balance += 10;
    return NULL;
}

int main(void)
{
    struct account account = {0, 2};
    pthread_t first, second;
    pthread_create(&first, NULL, deposit, &account);
    pthread_create(&second, NULL, deposit, &account);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(account.balance == 10 * account.deposits); /* ERROR */
    return 0;
}
