// steam: flags=-fopenmp levels=O0,O1,O2
// no race
/* Loops after `reduction` name the threads' own copies; what they are added to is loaded on the line of the loop,
 * as compilers have it. */
static const double values[4] = {3, 9, 2, 7};
static double total;

int main(void)
{
    int largest = 0, smallest = 100, i;
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction (max : largest)
    for (i = 0; i < 4; i++)
        largest = values[i] > largest ? (int)values[i] : largest;
#pragma omp parallel for num_threads(2) reduction(min : smallest)
    for (i = 0; i < 4; i++)
        if (values[i] < smallest)
            smallest = (int)values[i];
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (i = 0; i < 4; i++)
        sum += values[i];
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : total)
        for (i = 0; i < 4; i++)
            total += values[i];
    }
    return largest != 9 || smallest != 2 || sum != 21 || total != 21;
}
