/* POSIX threads on clone and futex. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "call.h"

enum { THREADS = 8 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t semaphore;
static int turn, sum, destroyed;
static __thread int own = 5;

static void initialise(void) { puts("once"); }
static void destroy(void *value) { __sync_fetch_and_add(&destroyed, (int)value); }

static void *worker(void *argument)
{
    int id = (int)argument;
    own += id;
    pthread_once(&once, initialise);
    pthread_setspecific(key, (void *)1);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        sum++;
        pthread_mutex_unlock(&mutex);
        free(malloc(i));
    }
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    while (turn != id)
        pthread_cond_wait(&changed, &mutex);
    printf("turn %d own %d\n", id, own);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    sem_post(&semaphore);
    return (void *)(id * 10);
}

static void *spinner(void *flag)
{
    while (!*(volatile int *)flag)
        ;
    return NULL;
}

static void *sleeper(void *flag)
{
    usleep(20000);
    *(volatile int *)flag = 1;
    return NULL;
}

static void *canceled(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static void handler(int signal) { printf("signal %d in thread %d\n", signal, gettid() != getpid()); }

static void *signalled(void *ready)
{
    sigset_t none;
    sigemptyset(&none);
    sem_post(ready);
    CALL(sigsuspend(&none));
    return NULL;
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    pthread_t thread[THREADS], other;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_key_create(&key, destroy);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, worker, (void *)i))
            return 1;
    for (int i = 0; i < THREADS; i++)
        sem_wait(&semaphore);
    void *result;
    for (int i = 0; i < THREADS; i++) {
        CALL(pthread_join(thread[i], &result));
        printf("%d\n", (int)result);
    }
    printf("sum %d destroyed %d own %d\n", sum, destroyed, own);
    volatile int flag = 0;
    pthread_create(&thread[0], NULL, spinner, (void *)&flag);
    pthread_create(&other, NULL, sleeper, (void *)&flag);
    CALL(pthread_join(thread[0], NULL));
    CALL(pthread_join(other, NULL));
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&mutex);
    printf("%s\n", strerror(pthread_cond_timedwait(&changed, &mutex, &soon)));
    printf("%s\n", strerror(pthread_mutex_trylock(&mutex)));
    pthread_mutex_unlock(&mutex);
    CALL(sem_timedwait(&semaphore, &soon));
    pthread_create(&other, NULL, canceled, NULL);
    usleep(1000);
    CALL(pthread_cancel(other));
    CALL(pthread_join(other, &result));
    printf("cancelled %d\n", result == PTHREAD_CANCELED);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handler);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&other, NULL, signalled, &semaphore);
    sem_wait(&semaphore);
    if (pthread_kill(other, SIGUSR1))
        return 1;
    CALL(pthread_join(other, NULL));
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    CALL(pthread_getattr_np(pthread_self(), &attributes));
    pthread_attr_getstack(&attributes, &stack, &size);
    printf("stack found %d\n", (char *)&set > (char *)stack && (char *)&set < (char *)stack + size);
    pthread_create(&other, NULL, sleeper, (void *)&flag);
    pthread_exit(NULL);
}
