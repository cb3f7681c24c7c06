// steam: expect=none flags=-DPRODUCERS=1,-DMESSAGES=2
/* A bounded buffer of messages from the heap: producers write one and put it in, consumers take, read and free. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#define ROOM 2

struct message {
    int from, number;
    char text[24];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static struct message *ring[ROOM];
static int first, count;

static void put(struct message *message)
{
    pthread_mutex_lock(&mutex);
    while (count == ROOM)
        pthread_cond_wait(&not_full, &mutex);
    ring[(first + count++) % ROOM] = message;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static struct message *take(void)
{
    pthread_mutex_lock(&mutex);
    while (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    struct message *message = ring[first];
    first = (first + 1) % ROOM;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return message;
}

static void *produce(void *from)
{
    for (int i = 0; i < MESSAGES; i++) {
        struct message *message = malloc(sizeof *message);
        message->from = *(int *)from;
        message->number = i;
        snprintf(message->text, sizeof message->text, "message %d of %d", i, message->from);
        put(message);
    }
    return NULL;
}

static void *consume(void *last)
{
    int *expected = last;
    for (int i = 0; i < PRODUCERS * MESSAGES; i++) {
        struct message *message = take();
        assert(message->number == expected[message->from]++);
        assert(strncmp(message->text, "message ", 8) == 0);
        free(message);
    }
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumer;
    int names[PRODUCERS], expected[PRODUCERS] = {0};
    pthread_create(&consumer, NULL, consume, expected);
    for (int i = 0; i < PRODUCERS; i++) {
        names[i] = i;
        pthread_create(&producers[i], NULL, produce, &names[i]);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    pthread_join(consumer, NULL);
    return 0;
}
