// steam: expect=deadlock
/* Nobody signals the condition: that a timer ends the program in the end does not help. */
#include <pthread.h>
#include <unistd.h>

int main(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    alarm(10);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
