// steam: expect=deadlock
/* Both threads move bytes from the other one's pipe, and nobody fills one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int one[2], other[2];

static void *move(void *unused)
{
    splice(one[0], NULL, other[1], NULL, 4, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(one) != 0 || pipe(other) != 0)
        return 1;
    pthread_create(&thread, NULL, move, NULL);
    splice(other[0], NULL, one[1], NULL, 4, 0); /* ERROR */
    pthread_join(thread, NULL);
    return 0;
}
