// steam: expect=assert
/* A process whose first thread ends it leaves in shared memory what the other one had written by then,
 * although nobody else looks there before. */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *words;

static void *write_both(void *unused)
{
    words[0] = 1;
    words[1] = 1;
    return unused;
}

int main(void)
{
    words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, write_both, NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    assert(words[0] == words[1]);
    return 0;
}
