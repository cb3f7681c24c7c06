// steam: expect=none
/* The library refuses to let a thread wait for itself, and the program looks. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    int result = pthread_join(pthread_self(), NULL);
    assert(result == EDEADLK);
    return 0;
}
