// no race
/* A name is changed and measured under a lock. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[16] = "old";
const char *new_name = "newer";

static void *rename_it(void *unused)
{
    pthread_mutex_lock(&lock);
    strcpy(name, new_name);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    pthread_mutex_lock(&lock);
    size_t length = strlen(name);
    pthread_mutex_unlock(&lock);
    assert(length == 3 || length == 5);
    pthread_join(thread, NULL);
    return 0;
}
