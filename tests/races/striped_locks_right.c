// no race
/* A table with one lock for each stripe of it. */
#include <assert.h>
#include <pthread.h>

enum { STRIPES = 2, CELLS = 4 };
static pthread_mutex_t locks[STRIPES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int cells[CELLS];

static void add(int cell)
{
    pthread_mutex_lock(&locks[cell % STRIPES]);
    cells[cell]++;
    pthread_mutex_unlock(&locks[cell % STRIPES]);
}

static void *work(void *unused)
{
    add(1);
    add(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    add(2);
    add(3);
    pthread_join(thread, NULL);
    assert(cells[2] == 2);
    return 0;
}
