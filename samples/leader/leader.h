/* The leader election of Dolev, Klawe and Rodeh in a ring whose messages go one way. What a node does
 * with a message is the same on all kinds of threads; so is the seeded error: not only the node with
 * the greatest number becomes leader when it hears of that, but also the node that found it out. */
#ifndef LEADER_H
#define LEADER_H

#include <semaphore.h>
#include <stdlib.h>

#include "steam.h"

#ifndef N
#define N 3
#endif

enum { MOST = 2000, ROOM = 4 };
enum Kind { ONE, TWO, WINNER };

struct Message {
    enum Kind kind;
    int number;
};

/* A channel with one sender and one receiver. */
struct Channel {
    struct Message messages[ROOM];
    sem_t filled, empty;
    int first, last;
};

static struct Channel channels[MOST];
static int count = N;
static int leaders;
static int leaders_lock;

static void open_channels(void)
{
    for (int i = 0; i < count; i++) {
        sem_init(&channels[i].filled, 0, 0);
        sem_init(&channels[i].empty, 0, ROOM);
    }
}

static void put(struct Channel *channel, enum Kind kind, int number)
{
    struct Message message = {kind, number};
    sem_wait(&channel->empty);
    channel->messages[channel->last] = message;
    channel->last = (channel->last + 1) % ROOM;
    sem_post(&channel->filled);
}

static struct Message take(struct Channel *channel)
{
    sem_wait(&channel->filled);
    struct Message message = channel->messages[channel->first];
    channel->first = (channel->first + 1) % ROOM;
    sem_post(&channel->empty);
    return message;
}

static void elect(void)
{
    VLOCK(&leaders_lock);
    leaders++;
    VASSERT(leaders < 2); /* ERROR */
    VUNLOCK(&leaders_lock);
}

/* A node; the numbers are 1 to count, greatest behind smallest by turns. */
static void node(int place)
{
    struct Channel *in = &channels[place], *out = &channels[(place + 1) % count];
    int number = place % 2 == 0 ? place / 2 + 1 : count - place / 2;
    int active = 1, knows = 0, maximum = number, neighbour = 0;
    put(out, ONE, number);
    for (;;) {
        struct Message message = take(in);
        if (message.kind == WINNER) {
            if (message.number == number)
                elect();
            if (!knows)
                put(out, WINNER, message.number);
            return;
        }
        if (!active) {
            put(out, message.kind, message.number);
        } else if (message.kind == ONE && message.number != maximum) {
            put(out, TWO, message.number);
            neighbour = message.number;
        } else if (message.kind == ONE) {
            knows = 1;
            elect(); /* It is not the one. */
            put(out, WINNER, message.number);
        } else if (neighbour > message.number && neighbour > maximum) {
            maximum = neighbour;
            put(out, ONE, neighbour);
        } else {
            active = 0;
        }
    }
}

#endif
