// steam: expect=overwritten
/* The buffer before a mutex is filled too far. */
#include <pthread.h>
#include <string.h>

static struct {
    char buffer[8];
    pthread_mutex_t mutex;
} shared;

int main(void)
{
    pthread_mutex_init(&shared.mutex, NULL);
    memset(&shared, 0xff, sizeof shared);
    pthread_mutex_lock(&shared.mutex);
    return 0;
}
