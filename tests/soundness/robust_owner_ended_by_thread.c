// steam: expect=assert
/* A thread ends its process while another one of it has a robust mutex, or had not taken it yet. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t *mutex;

static void *own(void *unused)
{
    pthread_mutex_lock(mutex);
    pause();
    return unused;
}

int main(void)
{
    mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attributes);
    pid_t child = fork();
    if (child == 0) {
        pthread_t owner;
        pthread_create(&owner, 0, own, 0);
        _exit(0);
    }
    waitpid(child, 0, 0);
    assert(pthread_mutex_lock(mutex) != EOWNERDEAD); /* ERROR */
}
