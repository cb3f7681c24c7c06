// steam: expect=none
/* A producer and a consumer over a pipe: each closes the end that it does not use, and what was read is
 * put together until all of a message is there. The end of the producer is the end of the messages. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
    short number, square;
};

static void produce(int end)
{
    for (short number = 1; number <= 3; number++) {
        short square = (short)(number * number);
        write(end, &number, sizeof number);
        write(end, &square, sizeof square);
    }
    _exit(0);
}

/* Whether there is another message. */
static int receive(int end, struct message *message)
{
    size_t got = 0;
    while (got < sizeof *message) {
        ssize_t more = read(end, (char *)message + got, sizeof *message - got);
        if (more <= 0)
            return 0;
        got += (size_t)more;
    }
    return 1;
}

int main(void)
{
    int ends[2], status, count = 0;
    struct message message;
    pipe(ends);
    pid_t producer = fork();
    if (producer == 0) {
        close(ends[0]);
        produce(ends[1]);
    }
    close(ends[1]);
    while (receive(ends[0], &message)) {
        assert(message.square == message.number * message.number);
        count++;
    }
    waitpid(producer, &status, 0);
    assert(count == 3 && WIFEXITED(status));
    return 0;
}
