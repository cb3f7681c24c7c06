// steam: expect=deadlock
/* Another thread sends the signal whose handler writes under a lock that its thread has for reading. */
#include <pthread.h>
#include <signal.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t reader;

static void handle(int number)
{
    (void)number;
    pthread_rwlock_wrlock(&lock); /* ERROR */
    pthread_rwlock_unlock(&lock);
}

static void *send(void *unused)
{
    pthread_kill(reader, SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t sender;
    signal(SIGUSR1, handle);
    reader = pthread_self();
    pthread_create(&sender, 0, send, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(sender, 0);
}
