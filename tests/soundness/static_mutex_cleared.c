// steam: expect=overwritten
/* A mutex with a static initialiser is set to zero while it is held: its bytes were zero before it was locked. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
    memset(&mutex, 0, sizeof mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
