// race: temperature 10 18
/* A floating-point number is shared like any other. */
#include <pthread.h>
#include <stdio.h>

static double temperature = 20.5;

static void *measure(void *unused)
{
    temperature = 21.25;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, measure, NULL);
    double now = temperature;
    pthread_join(thread, NULL);
    printf("%d\n", now > 20.0);
    return 0;
}
