// race: balance 14 17
// race: balance 17 17
/* Small amounts are booked without the lock, to be quick. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *book(void *argument)
{
    int amount = *(int *)argument;
    if (amount > 10) {
        pthread_mutex_lock(&lock);
        balance += amount;
        pthread_mutex_unlock(&lock);
    } else {
        balance += amount;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int amounts[3] = {50, 2, 3};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, book, &amounts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return balance == 0;
}
