// steam: expect=none with=../../toolchain/verifier.c racy
/* In the style of the software-verification competition: a ticket lock whose counter is taken in an
 * atomic block. */
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assert(int);

static volatile unsigned next_ticket, serving, inside;

static unsigned take_ticket(void)
{
    __VERIFIER_atomic_begin();
    unsigned ticket = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
    __VERIFIER_atomic_end();
    return ticket;
}

static void *work(void *unused)
{
    (void)unused;
    unsigned ticket = take_ticket();
    while (serving != ticket)
        ;
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    serving++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
