// race: stock 12 20
/* Each side holds a lock, but not the same one. */
#include <pthread.h>

static pthread_mutex_t buyers = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t sellers = PTHREAD_MUTEX_INITIALIZER;
static int stock = 10;

static void *buy(void *unused)
{
    pthread_mutex_lock(&buyers);
    stock -= 3;
    pthread_mutex_unlock(&buyers);
    return unused;
}

static void *sell(void *unused)
{
    pthread_mutex_lock(&sellers);
    stock += 5;
    pthread_mutex_unlock(&sellers);
    return unused;
}

int main(void)
{
    pthread_t buyer, seller;
    pthread_create(&buyer, NULL, buy, NULL);
    pthread_create(&seller, NULL, sell, NULL);
    pthread_join(buyer, NULL);
    pthread_join(seller, NULL);
    return stock < 7;
}
