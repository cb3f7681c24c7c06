// steam: expect=use-after-free
// race: object.value 17 29
/* An object is freed with the mutex in it, while another thread still wants to take that. */
#include <pthread.h>
#include <stdlib.h>

struct object {
    char name[12];
    int value;
    pthread_mutex_t lock;
};

static void *use(void *argument)
{
    struct object *object = argument;
    pthread_mutex_lock(&object->lock);
    object->value++;
    pthread_mutex_unlock(&object->lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct object *object = calloc(1, sizeof *object);
    pthread_mutex_init(&object->lock, NULL);
    pthread_create(&thread, NULL, use, object);
    use(object);
    free(object);
    pthread_join(thread, NULL);
    return 0;
}
