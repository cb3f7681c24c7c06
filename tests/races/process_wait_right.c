// no race
/* The parent reads the child's result after it has waited for its end. */
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    int *results = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            results[i] = i + 1;
            _exit(0);
        }
    }
    for (int i = 0; i < 2; i++)
        waitpid(children[i], NULL, 0);
    assert(results[0] + results[1] == 3);
    return 0;
}
