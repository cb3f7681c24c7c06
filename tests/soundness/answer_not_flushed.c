// steam: expect=deadlock
/* What is printed to a pipe stays in the library's buffer: the other process waits for it in vain. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int there[2], back[2];
    char answer, line[8];
    pipe(there);
    pipe(back);
    if (fork() == 0) {
        dup2(there[0], 0);
        dup2(back[1], 1);
        close(there[0]);
        close(there[1]);
        close(back[0]);
        close(back[1]);
        while (fgets(line, sizeof line, stdin))
            printf("%s", line);
        return 0;
    }
    close(there[0]);
    close(back[1]);
    write(there[1], "a\n", 2);
    read(back[0], &answer, 1); /* ERROR */
    return 0;
}
