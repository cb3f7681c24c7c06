// steam: flags=-fopenmp levels=O0,O1,O2
// no race
/* A result of one thread, handed over by a flag that both read and write in one go. */
#include <assert.h>
#include <omp.h>

int main(void)
{
    int result = 0, ready = 0;
#pragma omp parallel num_threads(2) shared(result, ready)
    {
        if (omp_get_thread_num() == 0) {
            result = 10;
#pragma omp atomic write seq_cst
            ready = 1;
        } else {
            int seen = 0;
            while (seen == 0) {
#pragma omp atomic read acquire
                seen = ready;
            }
            assert(result == 10);
        }
    }
    return 0;
}
