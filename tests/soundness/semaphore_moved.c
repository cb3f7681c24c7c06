// steam: expect=copied
/* A semaphore moves when its block grows. */
#include <semaphore.h>
#include <stdlib.h>

int main(void)
{
    sem_t *semaphores = malloc(sizeof *semaphores);
    sem_init(&semaphores[0], 0, 1);
    semaphores = realloc(semaphores, 2000 * sizeof *semaphores);
    sem_wait(&semaphores[0]);
    free(semaphores);
    return 0;
}
