// lacks: table
// plain lacks nothing
/* A worker fills a table without a lock before it creates the thread that shares it. It is not the first
 * thread that initialises: that is fixed in advance, and forbidden. In each execution the one that fills it
 * has it to itself. */
#include <pthread.h>

static int table;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
    pthread_mutex_lock(&mutex);
    table++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *fill(void *unused)
{
    pthread_t thread;
    table = 1;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    return 0;
}
