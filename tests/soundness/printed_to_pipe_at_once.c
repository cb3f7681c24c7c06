// steam: expect=none
/* What is printed to a pipe goes there as a whole when the process ends. */
#include <assert.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char text[8];
    pipe(ends);
    if (fork() == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        printf("a");
        printf("b\n");
        return 0;
    }
    close(ends[1]);
    assert(read(ends[0], text, sizeof text) == 3);
    wait(0);
    return 0;
}
