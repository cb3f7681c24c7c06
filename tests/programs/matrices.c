// steam: flags=-lm
/* Dense linear algebra: multiplication in three loop orders, LU with pivoting, Gauss-Jordan, Jacobi eigenvalues. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 24
typedef double matrix[N][N];

static unsigned seed = 9;
static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0 - 0.5;
}
static void fill(matrix m)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = uniform() + (i == j ? 2 : 0);
}
static void multiply_ijk(matrix a, matrix b, matrix c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
static void multiply_ikj(matrix a, matrix b, matrix c)
{
    memset(c, 0, sizeof(matrix));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[i][j] += a[i][k] * b[k][j];
}
static double distance(matrix a, matrix b)
{
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            worst = fmax(worst, fabs(a[i][j] - b[i][j]));
    return worst;
}
static int factor(matrix a, int *order, double *determinant)
{
    *determinant = 1;
    for (int i = 0; i < N; i++)
        order[i] = i;
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (a[pivot][k] == 0)
            return -1;
        if (pivot != k) {
            for (int j = 0; j < N; j++) {
                double t = a[k][j];
                a[k][j] = a[pivot][j], a[pivot][j] = t;
            }
            int t = order[k];
            order[k] = order[pivot], order[pivot] = t;
            *determinant = -*determinant;
        }
        *determinant *= a[k][k];
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return 0;
}
static void solve(matrix lu, const int *order, const double *b, double *x)
{
    for (int i = 0; i < N; i++) {
        x[i] = b[order[i]];
        for (int j = 0; j < i; j++)
            x[i] -= lu[i][j] * x[j];
    }
    for (int i = N; i-- > 0;) {
        for (int j = i + 1; j < N; j++)
            x[i] -= lu[i][j] * x[j];
        x[i] /= lu[i][i];
    }
}
static void eigenvalues(double a[4][4], double *value)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++) {
                if (fabs(a[p][q]) < 1e-15)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 4; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                }
            }
    for (int i = 0; i < 4; i++)
        value[i] = a[i][i];
}

int main(void)
{
    static matrix a, b, c, d, lu, inverse;
    fill(a);
    fill(b);
    multiply_ijk(a, b, c);
    multiply_ikj(a, b, d);
    printf("orders agree: %d, c[3][5] = %.9f\n", distance(c, d) < 1e-12, c[3][5]);
    int order[N];
    double determinant, column[N], unit[N];
    memcpy(lu, a, sizeof lu);
    printf("factor %d", factor(lu, order, &determinant));
    printf(" determinant %.6e\n", determinant);
    for (int j = 0; j < N; j++) {
        memset(unit, 0, sizeof unit);
        unit[j] = 1;
        solve(lu, order, unit, column);
        for (int i = 0; i < N; i++)
            inverse[i][j] = column[i];
    }
    multiply_ikj(a, inverse, c);
    memset(d, 0, sizeof d);
    for (int i = 0; i < N; i++)
        d[i][i] = 1;
    printf("a * inverse is one: %d, trace of inverse %.8f\n", distance(c, d) < 1e-12, inverse[0][0] + inverse[N - 1][N - 1]);
    memset(lu, 0, sizeof lu);
    printf("singular %d\n", factor(lu, order, &determinant));
    double s[4][4] = {{4, 1, -2, 2}, {1, 2, 0, 1}, {-2, 0, 3, -2}, {2, 1, -2, -1}}, value[4];
    eigenvalues(s, value);
    printf("eigenvalues %.8f %.8f %.8f %.8f\n", value[0], value[1], value[2], value[3]);
    float small[16][16] = {{0}}, vector[16], result[16];
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            small[i][j] = (float)((i * j) % 7), vector[j] = (float)j;
    for (int i = 0; i < 16; i++) {
        result[i] = 0;
        for (int j = 0; j < 16; j++)
            result[i] += small[i][j] * vector[j];
        printf("%g ", result[i]);
    }
    putchar('\n');
    return 0;
}
