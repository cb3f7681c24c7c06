// race: head 15 27
// race: tail 18 24
// race by C11 only: cells[0] 17 26
/* The same ring with volatile indices: that makes the accesses happen, and does not make them
 * atomic. The cells are never accessed side by side. */
#include <pthread.h>
#include <stdbool.h>

enum { SIZE = 1 };
static int cells[SIZE];
static volatile unsigned head, tail;

static bool push(int item)
{
    if (tail - head == SIZE)
        return false;
    cells[tail % SIZE] = item;
    tail = tail + 1;
    return true;
}

static bool pop(int *item)
{
    if (head == tail)
        return false;
    *item = cells[head % SIZE];
    head = head + 1;
    return true;
}

static void *produce(void *unused)
{
    push(1);
    push(2);
    return unused;
}

int main(void)
{
    pthread_t producer;
    int item = 0;
    pthread_create(&producer, NULL, produce, NULL);
    pop(&item);
    pop(&item);
    pthread_join(producer, NULL);
    return item > 2;
}
