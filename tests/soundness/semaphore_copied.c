// steam: expect=copied
/* A semaphore is copied with the structure around it. */
#include <semaphore.h>

struct queue {
    sem_t places;
    int length;
};

static struct queue original, copy;

int main(void)
{
    sem_init(&original.places, 0, 1);
    copy = original;
    sem_wait(&copy.places);
    return copy.length;
}
