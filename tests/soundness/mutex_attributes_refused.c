// steam: expect=none
/* A robust mutex with a ceiling is not supported; nor are attributes of nothing but ones. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

int main(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
    assert(pthread_mutex_init(&mutex, &attributes) == ENOTSUP);
    memset(&attributes, 0xff, sizeof attributes);
    assert(pthread_mutex_init(&mutex, &attributes) == ENOTSUP);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
