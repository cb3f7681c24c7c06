// no race
/* pthread_once: whoever comes first sets up the table, and the others wait. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[2];

static void set_up(void)
{
    table[0] = 3;
    table[1] = 4;
}

static void *use(void *unused)
{
    pthread_once(&once, set_up);
    assert(table[0] + table[1] == 7);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
