// steam: expect=assert
/* A thread moves what is in one pipe to another one while a second thread writes to both. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int from[2], to[2];

static void *move(void *unused)
{
    splice(from[0], NULL, to[1], NULL, 4, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char text[3];
    if (pipe(from) != 0 || pipe(to) != 0)
        return 1;
    pthread_create(&thread, NULL, move, NULL);
    if (write(from[1], "a", 1) != 1 || write(to[1], "b", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    assert(read(to[0], text, 3) == 2);
    assert(text[0] == 'b'); /* ERROR */
    return 0;
}
