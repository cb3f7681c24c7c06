// steam: expect=deadlock always
/* The consumer waits for the end of what is written, and has the writing end still open itself. */
#include <unistd.h>

int main(void)
{
    int ends[2];
    char letter;
    pipe(ends);
    if (fork() == 0) {
        write(ends[1], "ab", 2);
        _exit(0);
    }
    while (read(ends[0], &letter, 1) > 0) /* ERROR */
        ;
    return 0;
}
