// race: main::progress 8 17
/* A local variable of main is shared by its address. */
#include <pthread.h>

static void *advance(void *argument)
{
    int *progress = argument;
    *progress += 10;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int progress = 0;
    pthread_create(&thread, NULL, advance, &progress);
    progress += 5;
    pthread_join(thread, NULL);
    return progress == 0;
}
