// steam: expect=none
/* A child that cannot run another program says so; memory that vfork lends comes back. */
#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static int seen;

int main(void)
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execl("/no/such/program", "program", (char *)0);
        seen = errno;
        _exit(7);
    }
    assert(seen == ENOENT);
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}
