// steam: levels=O0,O2
// no race
/* The buffer of a stream is the library's, under the stream's lock, also where the program has given it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char buffer[64];
static void *print(void *unused)
{
    printf("hello\n");
    fprintf(stderr, "there\n");
    return unused;
}
int main(void)
{
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    setvbuf(stderr, malloc(64), _IOFBF, 64);
    pthread_t thread;
    pthread_create(&thread, NULL, print, NULL);
    print(NULL);
    pthread_join(thread, NULL);
    return 0;
}
