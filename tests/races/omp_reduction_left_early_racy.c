// steam: flags=-fopenmp levels=O0,O2
// race in doubt: total 16 18
/* What is added to a variable at the end of a loop that nobody waits for is atomic; the access after it is not. */
#include <omp.h>

static double total;
static const double values[2] = {3, 9};
static volatile double seen[2];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int i;
/* the copies are added here */
#pragma omp for reduction(+ : total) nowait
        for (i = 0; i < 2; i++) total += values[i];
        seen[omp_get_thread_num()] = total;
    }
    return 0;
}
