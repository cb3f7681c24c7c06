// race: heap block of heap_array_racy.c:17 10 20
/* Two threads fill a block together, and their parts overlap by one cell. */
#include <pthread.h>
#include <stdlib.h>

static void *fill_low(void *block)
{
    int *cells = block;
    for (int i = 0; i <= 2; i++)
        cells[i] = i;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int *cells = malloc(4 * sizeof *cells);
    pthread_create(&thread, NULL, fill_low, cells);
    for (int i = 2; i < 4; i++)
        cells[i] = -i;
    pthread_join(thread, NULL);
    free(cells);
    return 0;
}
