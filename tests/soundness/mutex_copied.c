// steam: expect=copied
/* A structure is copied while its mutex is locked: the copy would stay locked for ever. */
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static struct account original, copy;

int main(void)
{
    pthread_mutex_init(&original.mutex, NULL);
    pthread_mutex_lock(&original.mutex);
    copy = original;
    pthread_mutex_unlock(&original.mutex);
    pthread_mutex_lock(&copy.mutex);
    return copy.balance;
}
