// steam: expect=assert
/* The second child may end before the first one, although it waits for a word of it. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte = 0;
    pipe(ends);
    pid_t first = fork();
    if (first == 0) {
        write(ends[1], &byte, 1);
        _exit(0);
    }
    if (fork() == 0) {
        read(ends[0], &byte, 1);
        _exit(0);
    }
    assert(wait(0) == first);
}
