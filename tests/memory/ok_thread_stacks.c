// steam: error=none
/* Threads on stacks of their own: locals shared with the creator, a stack given by the program, thread-local storage, join. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread char scratch[200];

static void *work(void *argument)
{
    int *shared = argument, local[1000];
    memset(scratch, 1, sizeof scratch);
    for (int i = 0; i < 1000; i++)
        local[i] = i;
    *shared = local[999] + scratch[199];
    char *result = malloc(8);
    strcpy(result, "result");
    return result;
}

int main(void)
{
    int values[3] = {0, 0, 0};
    pthread_t threads[3];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    void *stack = NULL;
    if (posix_memalign(&stack, 4096, 131072) != 0)
        return 2;
    pthread_attr_setstack(&attributes, stack, 131072);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], i == 2 ? &attributes : NULL, work, &values[i]) != 0)
            return 2;
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%d %s\n", values[i], (char *)result);
        free(result);
    }
    pthread_attr_destroy(&attributes);
    free(stack);
    return 0;
}
