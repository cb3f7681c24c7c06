// steam: expect=overwritten
/* The buffer before a semaphore is filled too far. */
#include <semaphore.h>
#include <string.h>

static struct {
    char buffer[8];
    sem_t semaphore;
} shared;

int main(void)
{
    sem_init(&shared.semaphore, 0, 2);
    sem_wait(&shared.semaphore);
    memset(&shared, 'x', sizeof shared);
    sem_wait(&shared.semaphore);
    return 0;
}
