// steam: expect=copied
/* A structure is copied while its mutex, which has a static initialiser, is held: the copy would stay locked. */
#include <pthread.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static struct account original = {PTHREAD_MUTEX_INITIALIZER, 1}, copy;

int main(void)
{
    pthread_mutex_lock(&original.mutex);
    copy = original;
    pthread_mutex_unlock(&original.mutex);
    pthread_mutex_lock(&copy.mutex);
    return 0;
}
