// steam: expect=assert accesses=unknown
/* A child of `vfork` reads what two threads of its parent write, in either order. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *letter)
{
    write(ends[1], letter, 1);
    return letter;
}

int main(void)
{
    pthread_t one, two;
    char first = 0;
    pipe(ends);
    pthread_create(&one, 0, writes, "a");
    pthread_create(&two, 0, writes, "b");
    pid_t child = vfork();
    if (child == 0) {
        read(ends[0], &first, 1);
        _exit(0);
    }
    waitpid(child, 0, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(first == 'a'); /* ERROR */
    return 0;
}
