// steam: expect=assert
/* Main writes after an invisible release, and another thread creates the reader: that the reader did
 * not live yet when main wrote is so in some schedules only. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile int written;

static void *reads(void *unused)
{
    (void)unused;
    assert(written == 1); /* ERROR */
    return NULL;
}

static void *creates(void *unused)
{
    pthread_t reader;
    (void)unused;
    pthread_mutex_lock(&gate);
    pthread_create(&reader, NULL, reads, NULL);
    pthread_mutex_unlock(&gate);
    pthread_join(reader, NULL);
    return NULL;
}

int main(void)
{
    pthread_t creator;
    pthread_mutex_lock(&gate);
    pthread_create(&creator, NULL, creates, NULL);
    pthread_mutex_unlock(&gate);
    written = 1;
    pthread_join(creator, NULL);
    return 0;
}
