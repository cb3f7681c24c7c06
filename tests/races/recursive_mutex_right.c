// no race
/* A function with the lock calls another one that takes it again. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int entries, total;

static void add(int amount)
{
    pthread_mutex_lock(&lock);
    total += amount;
    pthread_mutex_unlock(&lock);
}

static void *book(void *unused)
{
    pthread_mutex_lock(&lock);
    add(2);
    entries++; /* the lock is still held */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_t thread;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_create(&thread, NULL, book, NULL);
    book(NULL);
    pthread_join(thread, NULL);
    assert(entries == 2 && total == 4);
    return 0;
}
