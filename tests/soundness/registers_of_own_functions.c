// steam: expect=none
/* The compiler knows both sides of this call: it passes arguments in registers, and keeps values in
 * those that the function does not touch. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int sum;

static __attribute__((noinline)) int __VERIFIER_atomic_add(int more, int less)
{
    sum += more;
    sum -= less;
    return sum;
}

__attribute__((noinline)) void __VERIFIER_atomic_count(void)
{
    sum++;
}

static __attribute__((noinline)) int around(int a, int b, int c)
{
    int ab = a * b, bc = b * c, ac = a * c;
    __VERIFIER_atomic_count();
    return ab + bc * 3 + ac * 5;
}

static void *work(void *number)
{
    __VERIFIER_atomic_add((int)number, 0);
    assert(around(5, 3, 4) == 15 + 36 + 100);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)5);
    __VERIFIER_atomic_add(7, 1);
    assert(around(1, 2, 3) == 2 + 18 + 15);
    pthread_join(thread, NULL);
    assert(sum == 13);
    return 0;
}
