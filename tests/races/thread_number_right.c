// no race
/* The numbers of threads lie in global variables, which each thread reads after it was created. */
#include <pthread.h>
#include <stddef.h>

static pthread_t threads[2];
static int own[2];

static void *work(void *index)
{
    int i = *(int *)index;
    own[i] = pthread_equal(threads[i], pthread_self());
    return NULL;
}

int main(void)
{
    static int indices[] = { 0, 1 };
    int right = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &indices[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        right += own[i];
    }
    return right != 2;
}
