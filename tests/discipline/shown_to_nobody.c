// lacks: cell.value
// plain lacks nothing
/* A cell is written without a lock after an operation that shows it to nobody: to MLD' the initialisation is
 * over then. In each execution nobody else has touched the cell yet. */
#include <pthread.h>
#include <stdlib.h>

struct cell {
    int value;
};

static struct cell *shown;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (shown)
        shown->value++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    struct cell *cell = malloc(sizeof *cell);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    cell->value = 1;
    pthread_mutex_lock(&mutex);
    shown = cell;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
