// race: done 11 21
/* What trylock says is not looked at. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int busy = pthread_mutex_trylock(&lock);
    done++;
    if (!busy)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return done == 0;
}
