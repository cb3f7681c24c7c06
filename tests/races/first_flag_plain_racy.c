// race: counter 19 19
// race: wants[0] 16 18
// race: wants[0] 16 20
// race: wants[1] 16 18
// race: wants[1] 16 20
/* Half of Dekker's idea: look at the other's flag, then raise one's own. It excludes nobody. */
#include <pthread.h>
#include <sched.h>

static volatile int wants[2];
static int counter;

static void *enter(void *argument)
{
    int me = *(int *)argument;
    while (wants[1 - me])
        sched_yield();
    wants[me] = 1;
    counter++;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int zero = 0, one = 1;
    pthread_create(&thread, NULL, enter, &zero);
    enter(&one);
    pthread_join(thread, NULL);
    return counter == 0;
}
