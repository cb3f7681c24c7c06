// steam: expect=deadlock
/* Of which kind a lock is, a thread writes while its process is copied. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *writes(void *unused)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    __asm__ volatile("" ::: "memory");
    mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_join(thread, 0);
    return 0;
}
