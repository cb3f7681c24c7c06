// steam: expect=assert racy
/* The pointer lies in a page that can no longer be written, where no pointers are looked for. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int *volatile *page;

static void *look(void *unused)
{
    (void)unused;
    int *value = *page;
    assert(*(volatile int *)value != 1); /* ERROR */
    return NULL;
}

int main(void)
{
    pthread_t thread;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *value = calloc(1, sizeof *value);
    *page = value;
    mprotect((void *)page, 4096, PROT_READ);
    pthread_create(&thread, NULL, look, NULL);
    *(volatile int *)value = 1;
    *(volatile int *)value = 2;
    pthread_join(thread, NULL);
    return 0;
}
