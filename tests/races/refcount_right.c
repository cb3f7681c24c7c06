// no race
/* The last one to let go of an object frees it, with the mutex that is in it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int users;
    pthread_mutex_t lock;
    int value;
};

static void release(struct object *object)
{
    if (atomic_fetch_sub(&object->users, 1) == 1) {
        pthread_mutex_destroy(&object->lock);
        free(object);
    }
}

static void *use(void *argument)
{
    struct object *object = argument;
    pthread_mutex_lock(&object->lock);
    object->value++;
    pthread_mutex_unlock(&object->lock);
    release(object);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct object *object = calloc(1, sizeof *object);
    atomic_init(&object->users, 2);
    pthread_mutex_init(&object->lock, NULL);
    pthread_create(&thread, NULL, use, object);
    use(object);
    pthread_join(thread, NULL);
    return 0;
}
