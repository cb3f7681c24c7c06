// no race
/* Two processes count in shared memory under a mutex that is shared too. */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t lock;
    int counter;
};

static void count(struct shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    shared->counter++;
    pthread_mutex_unlock(&shared->lock);
}

int main(void)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->lock, &attributes);
    pid_t child = fork();
    count(shared);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    assert(shared->counter == 2);
    return 0;
}
