// steam: expect=assert
/* What a thread has on its stack shows in a copy of its process. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static volatile int *shown;
static sem_t ready;

static void *writes(void *unused)
{
    volatile int mine = 0;
    shown = &mine;
    sem_post(&ready);
    mine = 1;
    mine = 2;
    pause();
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, writes, 0);
    sem_wait(&ready);
    if (fork() == 0) {
        assert(*shown != 1);
        _exit(0);
    }
    _exit(0);
}
