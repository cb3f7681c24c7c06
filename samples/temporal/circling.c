// ltl: violated weak F ended()
// ltl: violated weak G F !done
// ltl: holds weak F done
// ltl: holds weak G (done -> G done)
/* A thread that goes round for ever and touches nothing that others look at: the program never ends. */
#include <pthread.h>
#include <stddef.h>

static volatile int done, mine;

static void *circle(void *argument)
{
    for (;;)
        mine = !mine;
    return argument;
}

static void *work(void *argument)
{
    done = 1;
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, circle, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
