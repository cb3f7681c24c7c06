// no race
/* Data behind a flag that is set with release and read with acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char message[8];
static atomic_int sent;

static void *send(void *unused)
{
    strcpy(message, "hello");
    atomic_store_explicit(&sent, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&sent, memory_order_acquire))
        assert(strcmp(message, "hello") == 0);
    pthread_join(sender, NULL);
    return 0;
}
