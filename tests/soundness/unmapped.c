// steam: expect=unmapped-access
/* Memory is taken away between two steps of another thread. */
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static volatile int begun;

static void *look(void *word)
{
    begun = 1;
    return *(volatile int *)word ? word : NULL;
}

int main(void)
{
    pthread_t thread;
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, look, page);
    if (begun)
        munmap(page, 4096);
    pthread_join(thread, NULL);
    return 0;
}
