// steam: expect=assert
/* A wait without patience may come before the end of the child, also where the child ends within the
 * step that made it. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int child = fork();
    if (child == 0)
        _exit(0);
    assert(waitpid(child, NULL, WNOHANG) == child);
    return 0;
}
