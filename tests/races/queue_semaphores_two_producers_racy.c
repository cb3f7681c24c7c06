// race: cells[0] 16 16
// race: last 15 15
/* The semaphores count the free cells, but two producers share the index of the next one, and may
 * both get the same. */
#include <pthread.h>
#include <semaphore.h>

static sem_t free_cells, used_cells;
static int cells[3];
static int last;

static void *produce(void *item)
{
    sem_wait(&free_cells);
    int mine = last++;
    cells[mine % 3] += *(int *)item;
    sem_post(&used_cells);
    return NULL;
}

int main(void)
{
    pthread_t producers[2];
    int items[2] = {5, 6};
    sem_init(&free_cells, 0, 3);
    sem_init(&used_cells, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&producers[i], NULL, produce, &items[i]);
    sem_wait(&used_cells);
    sem_wait(&used_cells);
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    return last == 0;
}
