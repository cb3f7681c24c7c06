/* Threads with mutexes: a counter, a bank with ordered locks, recursive and error-checking mutexes, rwlock, once. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 500
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total, spins;
static struct account {
    pthread_mutex_t lock;
    long balance;
} accounts[6];
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[16];
static pthread_spinlock_t spin;

static void *count(void *argument)
{
    int id = *(int *)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        total += id;
        pthread_mutex_unlock(&lock);
        pthread_spin_lock(&spin);
        spins++;
        pthread_spin_unlock(&spin);
    }
    return NULL;
}
static void *transfer(void *argument)
{
    unsigned seed = (unsigned)*(int *)argument + 1;
    for (int i = 0; i < ROUNDS; i++) {
        seed = seed * 1103515245u + 12345u;
        int a = (int)(seed >> 16) % 6, b = (int)(seed >> 20) % 6, amount = (int)(seed >> 24) % 10;
        if (a == b)
            continue;
        struct account *first = &accounts[a < b ? a : b], *second = &accounts[a < b ? b : a];
        pthread_mutex_lock(&first->lock);
        pthread_mutex_lock(&second->lock);
        accounts[a].balance -= amount;
        accounts[b].balance += amount;
        pthread_mutex_unlock(&second->lock);
        pthread_mutex_unlock(&first->lock);
    }
    return NULL;
}
static void *readers_writers(void *argument)
{
    int id = *(int *)argument, bad = 0;
    for (int i = 0; i < ROUNDS / 5; i++)
        if (i % 10 == id) {
            pthread_rwlock_wrlock(&table_lock);
            for (int k = 0; k < 16; k++)
                table[k]++;
            pthread_rwlock_unlock(&table_lock);
        } else {
            pthread_rwlock_rdlock(&table_lock);
            for (int k = 1; k < 16; k++)
                bad += table[k] != table[0];
            pthread_rwlock_unlock(&table_lock);
        }
    return (void *)(long)bad;
}
static void in_threads(void *(*work)(void *), long *sum)
{
    pthread_t threads[THREADS];
    int ids[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        int error = pthread_create(&threads[i], &attributes, work, &ids[i]);
        if (error)
            printf("create: %s\n", strerror(error));
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        *sum += (long)result;
    }
    pthread_attr_destroy(&attributes);
}
static const char *name(int error) { return error == 0 ? "ok" : error == EBUSY ? "EBUSY" : error == EDEADLK ? "EDEADLK" : error == EPERM ? "EPERM" : "?"; }

static void kinds(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t recursive, checking;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutexattr_destroy(&attributes);
    for (int i = 0; i < 3; i++)
        printf("%s ", name(pthread_mutex_lock(&recursive)));
    for (int i = 0; i < 4; i++)
        printf("%s ", name(pthread_mutex_unlock(&recursive)));
    printf("| %s", name(pthread_mutex_lock(&checking)));
    printf(" %s", name(pthread_mutex_lock(&checking)));
    printf(" %s", name(pthread_mutex_trylock(&checking)));
    printf(" %s", name(pthread_mutex_unlock(&checking)));
    printf(" %s\n", name(pthread_mutex_unlock(&checking)));
    pthread_mutex_destroy(&recursive);
    pthread_mutex_destroy(&checking);
}

int main(void)
{
    long sum = 0;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 6; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 1000;
    }
    in_threads(count, &sum);
    printf("total %ld spins %ld\n", total, spins);
    in_threads(transfer, &sum);
    for (int i = 0; i < 6; i++)
        sum += accounts[i].balance;
    printf("money %ld, account 3 has %ld\n", sum, accounts[3].balance);
    sum = 0;
    in_threads(readers_writers, &sum);
    printf("table %d, torn reads %ld\n", table[7], sum);
    kinds();
    printf("self %d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
