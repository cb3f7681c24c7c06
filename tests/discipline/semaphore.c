// lacks: v
/* The example of Stoller's section 9: the first thread initialises `v` without a lock, after it has let
 * the second one go. The search that does what is invisible first always sees v = 1 before v = 2. */
#include <pthread.h>
#include <semaphore.h>

static int v;
static sem_t sem;
static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    sem_post(&sem);
    v = 1;
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&sem);
    pthread_mutex_lock(&o);
    v = 2;
    pthread_mutex_unlock(&o);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&sem, 0, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return v;
}
