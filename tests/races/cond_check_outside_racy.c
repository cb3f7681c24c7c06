// race: ready 16 26
// race by C11 only: answer 15 32
/* The flag is looked at before the lock is taken, to save the lock. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static int answer;

static void *give(void *unused)
{
    pthread_mutex_lock(&lock);
    answer = 42;
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t giver;
    pthread_create(&giver, NULL, give, NULL);
    if (!ready) {
        pthread_mutex_lock(&lock);
        while (!ready)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    int seen = answer;
    pthread_join(giver, NULL);
    return seen != 42;
}
