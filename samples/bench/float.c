/* Floating-point kernel: one step of an n-body system after the other, on the x87. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 5 };

static double position[BODIES][3] = {
    {0, 0, 0}, {4.84, -1.16, -0.10}, {8.34, 4.12, -0.40}, {12.89, -15.11, -0.22}, {15.37, -25.91, 0.17}};
static double speed[BODIES][3] = {
    {0, 0, 0}, {0.60, 2.81, -0.02}, {-1.01, 1.82, 0.008}, {1.08, 0.86, -0.01}, {0.97, 0.59, -0.03}};
static const double mass[BODIES] = {39.47, 0.037, 0.011, 0.0017, 0.002};

static void step(double time)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            double difference[3], square = 0;
            for (int k = 0; k < 3; k++) {
                difference[k] = position[i][k] - position[j][k];
                square += difference[k] * difference[k];
            }
            double pull = time / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                speed[i][k] -= difference[k] * mass[j] * pull;
                speed[j][k] += difference[k] * mass[i] * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            position[i][k] += time * speed[i][k];
}

int main(int argc, char **argv)
{
    unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    for (unsigned long i = 0; i < iterations; i++)
        step(0.001);
    printf("%.9f %.9f\n", position[0][0], speed[1][1]);
    return 0;
}
