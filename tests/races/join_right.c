// no race
/* Each thread computes half of a sum; main reads the halves after the joins. */
#include <assert.h>
#include <pthread.h>

struct half {
    const int *values;
    int sum;
};

static void *add(void *argument)
{
    struct half *half = argument;
    half->sum = half->values[0] + half->values[1];
    return NULL;
}

int main(void)
{
    static const int values[4] = {1, 2, 3, 4};
    struct half halves[2] = {{values, 0}, {values + 2, 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &halves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(halves[0].sum + halves[1].sum == 10);
    return 0;
}
