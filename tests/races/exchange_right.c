// no race
/* A mailbox of one letter: both sides take what is there by an exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) mailbox;

static void *send(void *unused)
{
    int *letter = malloc(sizeof *letter);
    *letter = 11;
    free(atomic_exchange(&mailbox, letter));
    return unused;
}

int main(void)
{
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    int *letter = atomic_exchange(&mailbox, NULL);
    if (letter != NULL) {
        assert(*letter == 11);
        *letter = 0;
        free(letter);
    }
    pthread_join(sender, NULL);
    free(mailbox);
    return 0;
}
