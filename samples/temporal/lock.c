// ltl: holds weak G !(inside[0] && inside[1])
// ltl: violated weak G F inside[0]
// ltl: holds strong G F inside[0]
/* A lock that two threads take again and again: it may be the other one that gets it each time, although
   each could get it again and again. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside[2];

static void *compete(void *argument)
{
    int self = *(int *)argument;
    for (;;) {
        pthread_mutex_lock(&lock);
        inside[self] = 1;
        inside[self] = 0;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int selves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compete, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
