// race: temperature 10 18
/* A shared variable is an argument of printf. */
#include <pthread.h>
#include <stdio.h>

static int temperature = 20;

static void *measure(void *unused)
{
    temperature++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, measure, NULL);
    printf("%d degrees\n", temperature);
    pthread_join(thread, NULL);
    return 0;
}
