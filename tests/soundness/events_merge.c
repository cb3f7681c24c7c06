// steam: expect=assert
/* What several add to an eventfd is read at once, or not. */
#include <assert.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int events = eventfd(0, 0);
    uint64_t count = 1;
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            write(events, &count, sizeof count);
            _exit(0);
        }
    read(events, &count, sizeof count);
    assert(count == 1); /* ERROR */
    return 0;
}
