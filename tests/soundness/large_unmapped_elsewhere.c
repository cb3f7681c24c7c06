// steam: expect=none
/* The same where the word lies after what is unmapped. */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

#define SIZE (64 << 20)

static char *memory;

static void *gives_back(void *unused)
{
    munmap(memory, SIZE / 2);
    return NULL;
}

static void *uses(void *unused)
{
    memory[(37 << 20) + 8] = 1;
    assert(memory[(37 << 20) + 8] == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&threads[0], NULL, gives_back, NULL);
    pthread_create(&threads[1], NULL, gives_back, NULL);
    pthread_create(&threads[2], NULL, uses, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
