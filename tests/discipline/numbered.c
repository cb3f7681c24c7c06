// lacks nothing
/* Only one thread touches `v`, but which number that thread has depends on the schedule: another one creates
 * a thread of its own before or after it. */
#include <pthread.h>

static int v;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *leaf(void *argument)
{
    return argument;
}

static void *branch(void *argument)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_create(&thread, NULL, leaf, NULL);
    pthread_join(thread, NULL);
    return argument;
}

static void *touch(void *argument)
{
    v++;
    return argument;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, branch, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_create(&other, NULL, touch, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
