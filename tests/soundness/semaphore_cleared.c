// steam: expect=overwritten
/* A semaphore that counts is set to zero: nobody gets through any more. */
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;

int main(void)
{
    sem_init(&semaphore, 0, 1);
    memset(&semaphore, 0, sizeof semaphore);
    sem_wait(&semaphore);
    return 0;
}
