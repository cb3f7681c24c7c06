// steam: expect=deadlock
/* A process is copied while another of its threads holds a mutex: in the copy nobody releases it. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, holds, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        _exit(0);
    }
    pthread_join(thread, 0);
    waitpid(child, 0, 0);
}
