// lacks: flags.bare
/* Members of one word: each of two has a lock of its own, a third has none, and others belong to one thread each. */
#include <pthread.h>

static struct { char left, right, bare; } flags;
static char own[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number)
{
    pthread_mutex_lock(&m);
    flags.left++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    flags.right++;
    flags.bare++;
    pthread_mutex_unlock(&n);
    own[number != NULL]++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &flags);
    work(NULL);
    flags.bare = 0;
    pthread_join(thread, NULL);
    return 0;
}
