// steam: expect=none
/* Mutexes are set to zero while nobody holds them, and become fresh ones. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t first, second = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_init(&first, NULL);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    memset(&first, 0, sizeof first);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    second = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    return 0;
}
