// race: high 15 26
// race: low 14 25
/* A sequence lock with plain data: a reader that throws its copy away has raced all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static volatile int low, high;

static void *write_pair(void *unused)
{
    atomic_fetch_add(&sequence, 1);
    low = 1;
    high = 1;
    atomic_fetch_add(&sequence, 1);
    return unused;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_pair, NULL);
    unsigned before = atomic_load(&sequence);
    int a = low;
    int b = high;
    if (before % 2 == 0 && before == atomic_load(&sequence))
        assert(a == b);
    pthread_join(writer, NULL);
    return 0;
}
