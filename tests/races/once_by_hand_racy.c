// steam: levels=O0
// race: initialised 15 17
// race: initialised 17 17
// race: table[1] 16 16
// race: table[1] 16 19
/* A plain flag instead of pthread_once. */
#include <pthread.h>
#include <stdbool.h>

static bool initialised;
static int table[2];

static void *use(void *unused)
{
    if (!initialised) {
        table[1] = 4;
        initialised = true;
    }
    return table[1] == 4 ? unused : table;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
