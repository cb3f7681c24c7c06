// steam: expect=assert
/* The variable of a loop is handed over on main's stack, and main goes on with it. */
#include <assert.h>
#include <pthread.h>

static int seen[3];

static void *look(void *number)
{
    seen[*(volatile int *)number]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(seen[2] == 0); /* ERROR */
    return 0;
}
