// steam: levels=O0,O1
// race: plain 11 20
/* The access beside the builtin on its line is none. */
#include <pthread.h>

static int flag, plain;

static void *other(void *)
{
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    plain = 3;
    return nullptr;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, other, nullptr);
    int seen;
    seen = __atomic_load_n(&flag, __ATOMIC_ACQUIRE) + plain;
    pthread_join(thread, nullptr);
    return seen > 9;
}
