/* MEBIBYTES of memory that nobody touches. Two threads give back the same half of it, in turns with what
 * they do under a lock. What that costs must not depend on how much memory it is. */
#include <pthread.h>
#include <sys/mman.h>

#ifndef MEBIBYTES
#define MEBIBYTES 64
#endif
#define SIZE (MEBIBYTES * 1024u * 1024u)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *give_back(void *memory)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        turns++;
        pthread_mutex_unlock(&lock);
        munmap((char *)memory + i * (SIZE / 4), SIZE / 4);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, give_back, memory);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return turns != 4;
}
