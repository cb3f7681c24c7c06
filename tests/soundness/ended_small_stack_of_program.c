// steam: expect=none
/* A small stack that the program provides is its own again when the thread has ended, although a thread had one of the
 * library's in between. */
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#define SIZE PTHREAD_STACK_MIN

static _Atomic(int *) shown;

static void *nothing(void *unused)
{
    return unused;
}

static void *work(void *unused)
{
    int count = 7;
    shown = &count;
    return unused;
}

int main(void)
{
    char *memory = mmap(NULL, SIZE + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + 4096, SIZE, PROT_READ | PROT_WRITE);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory + 4096, SIZE);
    pthread_create(&thread, &attributes, work, NULL);
    volatile int *count = shown;
    int far = count != NULL && *count == 8;
    pthread_join(thread, NULL);
    return far + memory[4096];
}
