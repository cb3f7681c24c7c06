// steam: expect=deadlock
/* A handler copies its process while what it interrupts holds a lock. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void copies(int signal)
{
    (void)signal;
    if (fork() == 0) {
        pthread_mutex_lock(&mutex);
        _exit(0);
    }
}

int main(void)
{
    signal(SIGALRM, copies);
    alarm(1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
