// steam: levels=O0,O2
// race: heap block of library_given_block_racy.c:22 15 15
// race: heap block of library_given_block_racy.c:23 16 16
/* Functions of the library that run as they are, and one that runs as a whole, work on the same blocks of the heap
 * in two threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *line, *input;
static int ends[2];
static void *use(void *unused)
{
    sprintf(line, "%d", 12);
    if (read(ends[0], input, 1) != 1)
        abort();
    return unused;
}
int main(void)
{
    line = malloc(8);
    input = malloc(8);
    if (pipe(ends) != 0 || write(ends[1], "ab", 2) != 2)
        abort();
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    free(line);
    free(input);
    return 0;
}
