/* Raw futexes, and robust mutexes whose owner ends. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "call.h"

static int words[2];
static int woken;

static long futex(int *word, int operation, int value, void *timeout, int *second, int third)
{
    return syscall(SYS_futex, word, operation, value, timeout, second, third);
}

static void *waiter(void *bits)
{
    long result = futex(&words[0], FUTEX_WAIT_BITSET, 0, NULL, NULL, (int)bits);
    __sync_fetch_and_add(&woken, 1);
    return (void *)result;
}

static void start(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, waiter, (void *)(1 << i));
    usleep(50000);
}

static void operations(void)
{
    pthread_t threads[4];
    struct timespec moment = {0, 1000000};
    CALL(futex(&words[0], FUTEX_WAIT, 1, NULL, NULL, 0));
    CALL(futex(&words[0], FUTEX_WAIT, 0, &moment, NULL, 0));
    CALL(futex((int *)((char *)words + 1), FUTEX_WAKE, 1, NULL, NULL, 0));
    CALL(futex((int *)4, FUTEX_WAIT, 1, NULL, NULL, 0));
    CALL(futex(&words[0], FUTEX_WAKE, 1, NULL, NULL, 0));
    start(threads, 4);
    CALL(futex(&words[0], FUTEX_WAKE_BITSET, 9, NULL, NULL, 4));
    CALL(futex(&words[0], FUTEX_WAKE_BITSET, 9, NULL, NULL, 0));
    CALL(futex(&words[0], FUTEX_CMP_REQUEUE, 1, (void *)1, &words[1], 7));
    CALL(futex(&words[0], FUTEX_CMP_REQUEUE, 1, (void *)1, &words[1], 0));
    CALL(futex(&words[1], FUTEX_WAKE, 9, NULL, NULL, 0));
    int add = FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0);
    CALL(futex(&words[0], FUTEX_WAKE_OP, 9, (void *)9, &words[1], add));
    printf("%d\n", words[1]);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%d ", (int)result);
    }
    printf("woken %d\n", woken);
}

static pthread_mutex_t robust;

static void *owner(void *unused)
{
    pthread_mutex_lock(&robust);
    return unused;
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    operations();
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_t thread;
    pthread_create(&thread, NULL, owner, NULL);
    pthread_join(thread, NULL);
    printf("%s\n", strerror(pthread_mutex_lock(&robust)));
    CALL(pthread_mutex_consistent(&robust));
    CALL(pthread_mutex_unlock(&robust));
    CALL(pthread_mutex_lock(&robust));
    return 0;
}
