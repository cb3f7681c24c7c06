// steam: expect=assert
/* Another thread than the first copies its process, while that one is at its own stack. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *copies(void *argument)
{
    volatile int *shown = argument;
    if (fork() == 0) {
        assert(*shown != 1);
        _exit(0);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    volatile int mine = 0;
    pthread_create(&thread, 0, copies, (void *)&mine);
    mine = 1;
    mine = 2;
    pthread_join(thread, 0);
    return 0;
}
