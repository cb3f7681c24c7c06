// steam: levels=O1
/* Where clone writes the number of a new process: in the parent's memory, in the child's, or nowhere if the place is
 * bad, which is no error. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int place = 7;

static void try(const char *what, int flags, void *parent, void *child)
{
    place = 7;
    fflush(stdout);
    errno = 0;
    long number = syscall(SYS_clone, flags | SIGCHLD, 0, parent, 0, child);
    if (number == 0)
        _exit(place == 7 ? 1 : place == getpid() ? 2 : 3);
    int status = 0, error = errno;
    if (number > 0)
        waitpid(number, &status, 0);
    printf("%s: %s, %d, the child has %d, the parent %s\n", what, number > 0 ? "works" : "fails",
           error, WEXITSTATUS(status), place == 7 ? "nothing" : place == number ? "it" : "other");
}

int main(void)
{
    void *read_only = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    try("parent", CLONE_PARENT_SETTID, &place, 0);
    try("child", CLONE_CHILD_SETTID, 0, &place);
    try("both", CLONE_PARENT_SETTID | CLONE_CHILD_SETTID, &place, &place);
    try("parent, not mapped", CLONE_PARENT_SETTID, (void *)16, 0);
    try("parent, null", CLONE_PARENT_SETTID, 0, 0);
    try("parent, read-only", CLONE_PARENT_SETTID, read_only, 0);
    try("child, not mapped", CLONE_CHILD_SETTID, 0, (void *)16);
    try("child, read-only", CLONE_CHILD_SETTID, 0, read_only);
    try("cleared, not mapped", CLONE_CHILD_CLEARTID, 0, (void *)16);
    return 0;
}
