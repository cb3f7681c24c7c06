// no race
/* Neighbouring bytes of one word are different variables. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static char letters[4];

static void *write_letter(void *number)
{
    int at = (intptr_t)number;
    letters[at] = 'a' + at;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, write_letter, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(letters[0] == 'a' && letters[1] == 'b' && letters[2] == 'c' && letters[3] == 0);
    return 0;
}
