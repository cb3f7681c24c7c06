// race: words 13 13
// race: seed 14 14
/* Functions of the library that run as they are work on the same memory of the program in two threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char words[] = "a b";
static unsigned seed;
static void *use(void *unused)
{
    char *rest;
    strtok_r(words, " ", &rest);
    rand_r(&seed);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
