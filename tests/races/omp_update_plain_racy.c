// steam: flags=-fopenmp
// race in doubt: total 10 14
// race in doubt: total 13 14
// race in doubt: total 14 14
/* One of two updates is atomic. */
static double total;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        total += 2.0;
        total += 1.0;
    }
    return total < 0;
}
