// steam: expect=assert accesses=unknown
/* What a child of `vfork` writes lies beside what other threads write, and is its own all the same. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int others;
static volatile char first;
static int ends[2];

static void *writes(void *letter)
{
    others++;
    write(ends[1], letter, 1);
    return letter;
}

int main(void)
{
    pthread_t one, two;
    pipe(ends);
    pthread_create(&one, 0, writes, "a");
    pthread_create(&two, 0, writes, "b");
    pid_t child = vfork();
    if (child == 0) {
        char byte;
        read(ends[0], &byte, 1);
        first = byte;
        _exit(0);
    }
    waitpid(child, 0, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(others == 2);
    assert(first == 'a'); /* ERROR */
    return 0;
}
