// steam: flags=-fopenmp levels=O0,O2
// no race
/* libgomp frees a group of tasks while the thread that has done the last one still looks at it; that is no error of
 * the program. */
static int result;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            result = 1;
        }
        result++;
    }
    return result != 2;
}
