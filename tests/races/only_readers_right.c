// no race
/* A table that nobody writes once the threads run. */
#include <assert.h>
#include <pthread.h>

static int squares[3];

static void *look(void *unused)
{
    assert(squares[1] + squares[2] == 5);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 3; i++)
        squares[i] = i * i;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    look(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
