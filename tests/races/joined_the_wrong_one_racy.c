// race: parts[1] 9 20
/* Two threads, and the loop joins only one of them before the sum is read. */
#include <pthread.h>

static int parts[2];

static void *work(void *part)
{
    *(int *)part = 3;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &parts[i]);
    pthread_join(threads[0], NULL);
    int first = parts[0];
    int second = parts[1];
    pthread_join(threads[1], NULL);
    return first + second > 6;
}
