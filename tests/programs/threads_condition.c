/* Producer and consumer over a bounded buffer, a barrier, semaphores, a rendezvous, and cancellation-free shutdown. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 300
static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int slot[8], head, count, done;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, 0};

static void put(int value)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 8)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.slot[(queue.head + queue.count++) % 8] = value;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}
static int take(int *value)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && !queue.done)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    int got = queue.count > 0;
    if (got) {
        *value = queue.slot[queue.head];
        queue.head = (queue.head + 1) % 8;
        queue.count--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return got;
}
static void *producer(void *argument)
{
    int id = *(int *)argument;
    for (int i = 0; i < ITEMS; i++)
        put(id * 1000 + i);
    return NULL;
}
static void *consumer(void *argument)
{
    long *sum = argument;
    int value;
    while (take(&value))
        *sum += value;
    return NULL;
}

static pthread_barrier_t barrier;
static int grid[4][64], serial[4];
static void *smooth(void *argument)
{
    int id = *(int *)argument;
    for (int step = 0; step < 5; step++) {
        for (int i = id * 16; i < id * 16 + 16; i++)
            grid[(step + 1) % 2][i] = grid[step % 2][(i + 63) % 64] + grid[step % 2][(i + 1) % 64];
        serial[id] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    return NULL;
}

static sem_t ping, pong;
static char log_text[64];
static int log_length;
static void *ponger(void *argument)
{
    (void)argument;
    for (int i = 0; i < 10; i++) {
        sem_wait(&pong);
        log_text[log_length++] = (char)('a' + i);
        sem_post(&ping);
    }
    return (void *)"ponger done";
}

int main(void)
{
    pthread_t threads[4];
    int ids[4] = {0, 1, 2, 3};
    long sums[2] = {0, 0};
    pthread_create(&threads[0], NULL, producer, &ids[1]);
    pthread_create(&threads[1], NULL, producer, &ids[2]);
    pthread_create(&threads[2], NULL, consumer, &sums[0]);
    pthread_create(&threads[3], NULL, consumer, &sums[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_mutex_lock(&queue.lock);
    queue.done = 1;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
    pthread_join(threads[2], NULL);
    pthread_join(threads[3], NULL);
    printf("consumed %ld\n", sums[0] + sums[1]);

    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 64; i++)
        grid[0][i] = i % 5;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, smooth, &ids[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    long total = 0;
    for (int i = 0; i < 64; i++)
        total += grid[1][i] * (i + 1);
    printf("grid %ld, serial %d\n", total, serial[0] + serial[1] + serial[2] + serial[3]);

    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&threads[0], NULL, ponger, NULL);
    for (int i = 0; i < 10; i++) {
        log_text[log_length++] = (char)('A' + i);
        sem_post(&pong);
        sem_wait(&ping);
    }
    void *result;
    pthread_join(threads[0], &result);
    int value;
    sem_getvalue(&ping, &value);
    printf("%s, %s, %d %d\n", log_text, (char *)result, value, sem_trywait(&ping));
    return 0;
}
