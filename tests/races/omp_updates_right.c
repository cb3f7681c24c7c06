// steam: flags=-fopenmp levels=O0,O2
// no race
/* Updates for which there is no instruction: the old value is loaded and exchanged for the new one if it is still
 * the same. Compilers give the load to whichever line came before. */
static double total;
static float scale = 1;
static long long count;

int main(void)
{
    int largest = 0;
#pragma omp parallel num_threads(2) reduction(max : largest)
    {
        largest = 3;
#pragma omp atomic
        total += 2.0;
#pragma omp atomic
        scale *= 2.0f;
#pragma omp atomic
        // both halves

        count += 2;
    }
    return largest != 3;
}
