// race: result 11 20
/* The result is read one line too early. */
#include <pthread.h>
#include <stdio.h>

static int result;

static void *compute(void *input)
{
    int n = *(int *)input;
    result = n * n;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int input = 5;
    pthread_create(&thread, NULL, compute, &input);
    int early = result;
    pthread_join(thread, NULL);
    printf("%d %d\n", early == 0 || early == 25, result);
    return 0;
}
