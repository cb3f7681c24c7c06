// steam: expect=none flags=-fopenmp gcc-only
/* A parallel maximum with OpenMP: the shared variable is changed in a critical section. */
#include <assert.h>

int main(void)
{
    static const int values[4] = {3, 9, 2, 7};
    int largest = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++) {
#pragma omp critical
        if (values[i] > largest)
            largest = values[i];
    }
    assert(largest == 9);
    return 0;
}
