// steam: expect=none flags=-fopenmp gcc-only
/* A parallel sum with OpenMP: each thread has a sum of its own, added up at the end. */
#include <assert.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 1; i <= 4; i++)
        sum += i;
    assert(sum == 10);
    return 0;
}
