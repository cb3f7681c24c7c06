// steam: expect=assert
/* A word that one thread alone touches goes away when another thread maps something else there. */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static void *use(void *argument)
{
    volatile int *word = argument;
    *word = 1;
    assert(*word == 1); /* ERROR */
    return NULL;
}

int main(void)
{
    const int how = PROT_READ | PROT_WRITE, what = MAP_PRIVATE | MAP_ANONYMOUS;
    pthread_t thread;
    void *page = mmap(NULL, 4096, how, what, -1, 0);
    pthread_create(&thread, NULL, use, page);
    mmap(page, 4096, how, what | MAP_FIXED, -1, 0);
    pthread_join(thread, NULL);
    return 0;
}
