// steam: expect=none
/* Semaphores that are zero from the beginning, that are set to zero while they are zero, and that are initialised
 * after that. */
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static sem_t first, second, third;

int main(void)
{
    sem_post(&first);
    sem_post(&first);
    sem_wait(&first);
    sem_wait(&first);
    sem_init(&second, 0, 0);
    memset(&second, 0, sizeof second);
    sem_post(&second);
    sem_wait(&second);
    sem_init(&third, 0, 1);
    memset(&third, 0, sizeof third);
    sem_init(&third, 0, 1);
    sem_wait(&third);
    sem_t *block = malloc(sizeof *block);
    sem_init(block, 0, 1);
    free(block);
    block = calloc(1, sizeof *block);
    sem_post(block);
    sem_wait(block);
    free(block);
    return 0;
}
