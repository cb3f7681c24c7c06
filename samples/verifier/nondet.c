// steam: expect=assert with=../../toolchain/verifier.c
/* In the style of the software-verification competition: an unknown input, an assumption, an atomic
 * function and an error function that must not be reached. */
#include <pthread.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int level;

static void __VERIFIER_atomic_fill(int amount)
{
    if (level + amount <= 10)
        level += amount;
}

static void *fill(void *unused)
{
    (void)unused;
    unsigned char amount = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(amount <= 6);
    __VERIFIER_atomic_fill(amount);
    return NULL;
}

static void *drain(void *unused)
{
    (void)unused;
    if (__VERIFIER_nondet_bool())
        level -= 3;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, drain, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (level < 0)
        reach_error(); /* ERROR */
    return 0;
}
