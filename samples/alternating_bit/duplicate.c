// steam: expect=assert
/* The alternating-bit protocol with a receiver that does not look at the bit: where its answer was
 * lost, it accepts the same message twice. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steam.h"

enum { MESSAGES = 3, LOST = 2, END = 3 };

struct frame {
    unsigned char bit, message;
};

static void put(int end, unsigned char bit, unsigned char message)
{
    struct frame frame = {bit, message};
    write(end, &frame, sizeof frame);
}

static struct frame get(int end)
{
    struct frame frame = {END, 0};
    read(end, &frame, sizeof frame);
    return frame;
}

/* Sends each message until its bit comes back. A frame that is lost is never there: the sender's
 * patience ends, and it sends again. */
static void sender(int to, int from)
{
    for (unsigned char message = 0; message < MESSAGES; message++) {
        unsigned char bit = message % 2, answer = LOST;
        while (answer != bit) {
            if (VS_toss(1))
                continue;
            put(to, bit, message);
            answer = get(from).bit;
        }
    }
    _exit(0);
}

/* Accepts a message that has the other bit than the one before. An answer that is lost reaches the
 * sender as the end of its patience. */
static int receiver(int from, int to)
{
    unsigned char accepted = 0;
    for (struct frame frame = get(from); frame.bit != END; frame = get(from)) {
        assert(frame.message == accepted); /* ERROR */
        accepted++;
        put(to, VS_toss(1) ? LOST : frame.bit, 0);
    }
    return accepted;
}

int main(void)
{
    int there[2], back[2];
    pipe(there);
    pipe(back);
    if (fork() == 0) {
        close(there[0]);
        close(back[1]);
        sender(there[1], back[0]);
    }
    close(there[1]);
    close(back[0]);
    int accepted = receiver(there[0], back[1]);
    wait(NULL);
    return accepted == MESSAGES ? 0 : 1;
}
