// no race
/* A structure is copied under the lock, and the copy is used without it. */
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y, z;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct point position = {1, 1, 1};

static void *move(void *to)
{
    pthread_mutex_lock(&lock);
    position = *(const struct point *)to;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct point target = {2, 2, 2};
    pthread_create(&thread, NULL, move, &target);
    pthread_mutex_lock(&lock);
    struct point seen = position;
    pthread_mutex_unlock(&lock);
    assert(seen.x == seen.z);
    pthread_join(thread, NULL);
    return 0;
}
