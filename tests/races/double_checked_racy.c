// race: config 18 23
// race by C11 only: config 23 27
// race by C11 only: heap block of double_checked_racy.c:21 22 27
/* Double-checked locking with a plain pointer: the first test races with the publication. That the
 * object is complete holds where memory keeps the order of writes; C does not promise it. */
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *config;

static int limit(void)
{
    if (config == NULL) {
        pthread_mutex_lock(&lock);
        if (config == NULL) {
            struct settings *made = malloc(sizeof *made);
            made->limit = 7;
            config = made;
        }
        pthread_mutex_unlock(&lock);
    }
    return config->limit;
}

static void *use(void *result)
{
    *(int *)result = limit();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int first, second;
    pthread_create(&thread, NULL, use, &first);
    use(&second);
    pthread_join(thread, NULL);
    return first != 7 || second != 7;
}
