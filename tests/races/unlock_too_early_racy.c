// race: total 13 16
// race: total 16 16
/* The last access comes after the unlock. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static int high;

static void *add(void *amount)
{
    pthread_mutex_lock(&lock);
    int before = total;
    high = before > high ? before : high;
    pthread_mutex_unlock(&lock);
    total = before + *(int *)amount;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int one = 1, two = 2;
    pthread_create(&thread, NULL, add, &one);
    add(&two);
    pthread_join(thread, NULL);
    return total == 0;
}
