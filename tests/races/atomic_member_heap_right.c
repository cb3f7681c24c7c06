// no race
/* An atomic member of a structure on the heap, beside plain ones with one user each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    int left;
    _Atomic int count;
    int right;
};

static void *work(void *argument)
{
    struct box *box = argument;
    box->right = 2;
    atomic_store_explicit(&box->count, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct box *box = calloc(1, sizeof *box);
    pthread_create(&thread, NULL, work, box);
    box->left = 1;
    if (atomic_load_explicit(&box->count, memory_order_acquire) == 1)
        assert(box->right == 2);
    pthread_join(thread, NULL);
    assert(box->count == 1);
    free(box);
    return 0;
}
