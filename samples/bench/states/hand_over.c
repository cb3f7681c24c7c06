// steam: expect=none flags=-DBYTES=20
/* A producer fills a buffer byte by byte and hands it over under a mutex; the consumer sums it and frees it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef BYTES
#define BYTES 100
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static unsigned char *ready;

static void *produce(void *unused)
{
    (void)unused;
    unsigned char *buffer = malloc(BYTES);
    for (int i = 0; i < BYTES; i++)
        buffer[i] = i % 10;
    pthread_mutex_lock(&mutex);
    ready = buffer;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *consume(void *result)
{
    pthread_mutex_lock(&mutex);
    while (ready == NULL)
        pthread_cond_wait(&filled, &mutex);
    unsigned char *buffer = ready;
    ready = NULL;
    pthread_mutex_unlock(&mutex);
    int sum = 0;
    for (int i = 0; i < BYTES; i++)
        sum += buffer[i];
    free(buffer);
    *(int *)result = sum;
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    int sum;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, &sum);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(sum == BYTES / 10 * 45);
    return 0;
}
