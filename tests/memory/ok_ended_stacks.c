// steam: error=none
/* Stacks after the end of their threads: one that the program provides is its own again, with a guard page before
 * it or without; those of detached threads serve others, also with another size; and a copy of the process
 * makes threads, too. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (256 << 10)

static char *volatile shown;
static volatile int ended;

static void *shows(void *unused)
{
    char local[4096];
    memset(local, 'x', sizeof local);
    shown = local;
    __asm__ volatile("" ::: "memory");
    return shown + 100;
}

static void *uses_stack(void *size)
{
    volatile char room[20000];
    memset((void *)room, (int)(long)size, sizeof room);
    ended += room[19999];
    if ((long)size & 1)
        pthread_exit(NULL);
    return NULL;
}

static void *waits(void *unused)
{
    pause();
    return NULL;
}

static void provided(void)
{
    char *memory = mmap(NULL, SIZE + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    char *stack = memory + 4096, *last;
    mprotect(stack, SIZE, PROT_READ | PROT_WRITE);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    pthread_t thread;
    for (int turn = 0; turn < 2; turn++) {
        shown = NULL;
        pthread_create(&thread, &attributes, shows, NULL);
        while (shown == NULL)
            usleep(10000);
        usleep(10000);
        printf("%c\n", shown[100]);
        pthread_join(thread, (void **)&last);
        printf("%c\n", *last);
        int unused = 0;
        while (stack[unused] == 0)
            unused++;
        printf("%d\n", unused > SIZE / 2);
        memset(stack, 0, SIZE);
    }
    munmap(memory, SIZE + 4096);
}

static void detached(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (long turn = 1; turn <= 8; turn++) {
        pthread_t thread;
        pthread_attr_setstacksize(&attributes, turn % 3 == 0 ? 1 << 20 : 64 << 10);
        pthread_create(&thread, &attributes, uses_stack, (void *)turn);
        usleep(10000);
    }
    printf("%d\n", ended);
}

int main(void)
{
    pthread_t thread;
    provided();
    detached();
    pthread_create(&thread, NULL, uses_stack, (void *)1);
    usleep(10000);
    if (fork() == 0) {
        detached();
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, waits, NULL);
    usleep(10000);
    pthread_cancel(thread);
    usleep(10000);
    void *result;
    pthread_join(thread, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    return 0;
}
