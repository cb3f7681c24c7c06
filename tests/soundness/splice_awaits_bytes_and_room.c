// steam: expect=none
/* A thread that moves bytes waits for some to come and for room where they go; another one gives it both. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int from[2], to[2];
static char much[65536];

static void *move(void *unused)
{
    assert(splice(from[0], NULL, to[1], NULL, 4, 0) == 1);
    close(to[1]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char text;
    if (pipe(from) != 0 || pipe(to) != 0 || write(to[1], much, sizeof much) != sizeof much)
        return 1;
    pthread_create(&thread, NULL, move, NULL);
    if (write(from[1], "a", 1) != 1)
        return 1;
    for (size_t taken = 0; taken < sizeof much; taken += 32768)
        assert(read(to[0], much, 32768) == 32768);
    assert(read(to[0], &text, 1) == 1 && text == 'a');
    assert(read(to[0], &text, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
