// steam: expect=none
/* A buffer goes from thread to thread, whoever has it has it alone. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <steam.h>

static int buffer[8];
static sem_t filled;

static void work_on(int amount)
{
    steam_unshared(buffer, sizeof buffer);
    for (int i = 0; i < 8; i++)
        buffer[i] += amount;
    steam_shared(buffer, sizeof buffer);
}

static void *take(void *unused)
{
    sem_wait(&filled);
    work_on(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, take, NULL);
    work_on(1);
    sem_post(&filled);
    pthread_join(thread, NULL);
    VASSERT(buffer[0] == 3 && buffer[7] == 3);
    return 0;
}
