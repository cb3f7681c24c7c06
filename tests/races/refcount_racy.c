// race: object.users 14 14
/* The count of an object's users is a plain integer, and two may let go at once. */
#include <pthread.h>
#include <stdlib.h>

struct object {
    int users;
    int value;
};

static void *release(void *argument)
{
    struct object *object = argument;
    object->users--;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct object *object = malloc(sizeof *object);
    object->users = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, release, object);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int left = object->users;
    free(object);
    return left > 1;
}
