// steam: expect=none
/* A recursive mutex knows who holds it, and answers a bad unlock. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void *work(void *unused)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
