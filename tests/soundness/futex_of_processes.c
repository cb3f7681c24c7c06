// steam: expect=assert
/* Whether a process wakes another one depends on who comes first. */
#include <assert.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    const int how = PROT_READ | PROT_WRITE;
    int *word = mmap(NULL, 4096, how, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int child = fork();
    if (child == 0) {
        struct timespec soon = {1, 0};
        syscall(SYS_futex, word, FUTEX_WAIT, 0, &soon, NULL, 0);
        _exit(0);
    }
    assert(syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0); /* ERROR */
    waitpid(child, NULL, 0);
    return 0;
}
