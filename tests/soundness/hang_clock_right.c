// steam: expect=none
/* A loop that waits for a time is left one day, although nobody changes anything. */
#include <pthread.h>
#include <time.h>

static void *wait_a_second(void *argument)
{
    time_t begin = time(0);
    while (time(0) == begin)
        ;
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, wait_a_second, 0);
    pthread_create(&other, 0, wait_a_second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
