// steam: levels=O0,O1,O2
// race: current 22 32
/* What a pointer points to is read atomically, the pointer itself is not. */
#include <pthread.h>
#include <stddef.h>

struct node {
    int count;
    int other;
};

static struct node nodes[2];
static struct node *current = &nodes[0];

static void *work(void *unused)
{
    __atomic_store_n(&nodes[0].count, 1, __ATOMIC_RELEASE);
    /*
     * From here on it is another one.
     */

    current = &nodes[1];
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, work, NULL);
    seen = 0;
    seen += __atomic_load_n(&current->count, __ATOMIC_ACQUIRE);
    pthread_join(thread, NULL);
    return seen > 1;
}
