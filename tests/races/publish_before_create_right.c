// no race
/* What main writes before it creates a thread needs no lock, and the thread's result comes with the
 * join. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char name[8];
static size_t length;

static void *measure(void *unused)
{
    length = strlen(name);
    return unused;
}

int main(void)
{
    pthread_t thread;
    strcpy(name, "steam");
    pthread_create(&thread, NULL, measure, NULL);
    pthread_join(thread, NULL);
    assert(length == 5);
    strcpy(name, "water");
    return 0;
}
