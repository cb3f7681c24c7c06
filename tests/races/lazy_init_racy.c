// steam: levels=O0
// race: table 14 17
// race: table 17 17
// race: table 17 19
// race by C11 only: heap block of lazy_init_racy.c:15 16 25
/* A table is made by whoever needs it first, and two may be the first. */
#include <pthread.h>
#include <stdlib.h>

static int *table;

static int *get_table(void)
{
    if (table == NULL) {
        int *made = malloc(4 * sizeof *made);
        made[2] = 4;
        table = made;
    }
    return table;
}

static void *use(void *unused)
{
    int *mine = get_table();
    return mine[2] == 4 ? unused : mine;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
