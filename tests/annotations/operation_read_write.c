// steam: expect=none
// fewer states
/* Readers share a lock; each of their calls is one operation all the same. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static int difference(void)
{
    STEAM_OPERATION(&first);
    pthread_rwlock_rdlock(&lock);
    int found = first - second;
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *write_both(void *unused)
{
    STEAM_OPERATION(&first);
    pthread_rwlock_wrlock(&lock);
    first++;
    second++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    VASSERT(difference() == 0);
    pthread_join(thread, NULL);
    return 0;
}
