// race: cells[2] 13 13
/* Two parts of a program that disagree on the number of stripes take different locks. */
#include <pthread.h>

static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int cells[4];

static void add(int cell, int stripes)
{
    pthread_mutex_t *lock = &locks[cell % stripes];
    pthread_mutex_lock(lock);
    cells[cell]++;
    pthread_mutex_unlock(lock);
}

static void *old_part(void *unused)
{
    add(2, 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, old_part, NULL);
    add(2, 3);
    pthread_join(thread, NULL);
    return cells[2] == 0;
}
