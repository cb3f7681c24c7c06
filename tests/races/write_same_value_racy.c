// race: found 13 13
/* Several threads may find the number, and all write the same: still a race. */
#include <pthread.h>

static const int numbers[4] = {3, 7, 1, 7};
static int found;

static void *search(void *from)
{
    const int *part = from;
    for (int i = 0; i < 2; i++)
        if (part[i] == 7)
            found = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, search, (void *)numbers);
    search((void *)(numbers + 2));
    pthread_join(thread, NULL);
    return !found;
}
