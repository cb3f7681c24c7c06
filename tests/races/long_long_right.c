// steam: flags=-latomic
// no race
/* A 64-bit number as an atomic type: i386 does it with one instruction. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned long long ticks = 0xffffffffULL;

static void *tick(void *unused)
{
    ticks++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, tick, NULL);
    unsigned long long now = ticks;
    assert(now == 0xffffffffULL || now == 0x100000000ULL);
    pthread_join(thread, NULL);
    return 0;
}
