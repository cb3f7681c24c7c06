// steam: expect=overwritten
/* A mutex is set to zero while it is held, and locked again: nobody waits for the one who held it. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex;

int main(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    memset(&mutex, 0, sizeof mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
