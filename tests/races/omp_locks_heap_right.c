// steam: flags=-fopenmp levels=O0,O2
// no race
/* Locks of OpenMP on the heap, which libgomp keeps in order by itself. */
#include <omp.h>
#include <stdlib.h>

struct box {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int count, nested;
};
int main(void)
{
    struct box *box = malloc(sizeof *box);
    omp_init_lock(&box->lock);
    omp_init_nest_lock(&box->nest);
    box->count = box->nested = 0;
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&box->lock);
        box->count++;
        omp_unset_lock(&box->lock);
        omp_set_nest_lock(&box->nest);
        omp_set_nest_lock(&box->nest);
        box->nested++;
        omp_unset_nest_lock(&box->nest);
        omp_unset_nest_lock(&box->nest);
    }
    return 0;
}
