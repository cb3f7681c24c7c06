// steam: expect=assert
/* The consumer takes for granted that one read brings a whole message. The producer writes it in two
 * parts, and sometimes only the first one is there. */
#include <assert.h>
#include <unistd.h>

struct message {
    short number, square;
};

int main(void)
{
    int ends[2];
    struct message message = {0, 0};
    pipe(ends);
    if (fork() == 0) {
        close(ends[0]);
        for (short number = 1; number <= 2; number++) {
            short square = (short)(number * number);
            write(ends[1], &number, sizeof number);
            write(ends[1], &square, sizeof square);
        }
        _exit(0);
    }
    close(ends[1]);
    while (read(ends[0], &message, sizeof message) > 0)
        assert(message.square == message.number * message.number); /* ERROR */
    return 0;
}
