// steam: expect=overwritten
/* A spin lock is set to a number that no spin lock has. */
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    lock = 77;
    pthread_spin_lock(&lock);
    return 0;
}
