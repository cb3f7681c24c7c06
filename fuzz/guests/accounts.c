/* Two threads move money under a lock: something to walk through. */
#include <pthread.h>
#include <stdio.h>
struct account { int balance; const char *owner; };
static struct account accounts[2] = { { 10, "ann" }, { 20, "bob" } };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void move_money(int from, int to, int sum)
{
    accounts[from].balance -= sum;
    accounts[to].balance += sum;
}
static void *work(void *argument)
{
    int from = *(int *)argument;
    pthread_mutex_lock(&lock);
    move_money(from, 1 - from, 5);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    int numbers[2] = { 0, 1 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", accounts[0].balance, accounts[1].balance);
    return 0;
}
