// steam: expect=hang
/* A loop around poll waits for a byte that nobody is left to write. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *write_once(void *argument)
{
    write(ends[1], "x", 1);
    return argument;
}

static void *read_twice(void *argument)
{
    for (int received = 0; received < 2;) {
        struct pollfd ready = {ends[0], POLLIN, 0};
        char byte;
        if (poll(&ready, 1, 10) == 1)
            received += read(ends[0], &byte, 1);
    }
    return argument;
}

int main(void)
{
    pthread_t writer, reader;
    pipe(ends);
    pthread_create(&writer, 0, write_once, 0);
    pthread_create(&reader, 0, read_twice, 0);
    pthread_join(writer, 0);
    pthread_join(reader, 0);
    return 0;
}
