// steam: expect=none args=3
/* Dining philosophers who take the fork with the smaller number first: there is no cycle, and all
 * of them eat. The argument is their number. */
#include <pthread.h>
#include <stdlib.h>

enum { MAX = 64 };

static pthread_mutex_t forks[MAX];
static int count = 2;

static void *dine(void *argument)
{
    int seat = *(int *)argument, next = (seat + 1) % count;
    pthread_mutex_t *first = &forks[seat < next ? seat : next];
    pthread_mutex_t *second = &forks[seat < next ? next : seat];
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
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
