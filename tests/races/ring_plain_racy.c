// steam: levels=O0
// race: ring.cells[1] 15 25
// race: ring.tail 14 24
/* The ring's producer makes the new index visible before it has written the cell. */
#include <pthread.h>

static struct {
    int cells[2];
    int tail;
} ring = {{7, 0}, 1};

static void *produce(void *unused)
{
    int at = ring.tail++;
    ring.cells[at] = 8;
    return unused;
}

int main(void)
{
    pthread_t producer;
    int item = 8;
    pthread_create(&producer, NULL, produce, NULL);
    if (ring.tail == 2)
        item = ring.cells[1];
    pthread_join(producer, NULL);
    return item != 0 && item != 8;
}
