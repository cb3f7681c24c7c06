// steam: flags=-fopenmp levels=O0,O1,O2
// race: main::ready 16 18
// race by C11 only: main::result 14 19
/* The flag is written in one go, and read like anything else. */
#include <assert.h>
#include <omp.h>

int main(void)
{
    int result = 0, ready = 0;
#pragma omp parallel num_threads(2) shared(result, ready)
    {
        if (omp_get_thread_num() == 0) {
            result = 10;
#pragma omp atomic write
            ready = 1;
        } else {
            if (ready)
                assert(result == 10);
        }
    }
    return 0;
}
