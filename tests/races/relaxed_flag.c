// no race
// race by C11 only: message 13 24
/* Data behind a relaxed flag. Where memory is sequentially consistent, the two accesses to the data
 * are never possible side by side; C11 calls them a race, as nothing orders them. */
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_bool sent;

static void *send(void *unused)
{
    message = 1;
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t sender;
    int received = 1;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&sent, memory_order_relaxed))
        received = message;
    pthread_join(sender, NULL);
    return received != 1;
}
