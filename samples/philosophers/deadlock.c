// steam: expect=deadlock args=3
/* Dining philosophers: each takes the left fork, then the right one. When all hold the left one,
 * nobody goes on. The argument is their number. */
#include <pthread.h>
#include <stdlib.h>

enum { MAX = 64 };

static pthread_mutex_t forks[MAX];
static int count = 2;

static void *dine(void *argument)
{
    int seat = *(int *)argument;
    pthread_mutex_t *left = &forks[seat], *right = &forks[(seat + 1) % count];
    pthread_mutex_lock(left);
    pthread_mutex_lock(right); /* ERROR */
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MAX];
    int seats[MAX];
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MAX)
        return 2;
    for (int i = 0; i < count; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < count; i++) {
        seats[i] = i;
        pthread_create(&threads[i], NULL, dine, &seats[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
