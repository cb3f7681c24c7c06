// race: flag 18 28
// race: flag 18 29
// race: flag 19 28
// race: flag 19 29
// race: place 19 31
/* What inline assembly loads races with plain stores, and with an addition that is no atomic one; and the pointer
   by which it comes to its object is read like any other. */
#include <pthread.h>
#include <stddef.h>

static int flag, other;
static int *place = &flag;

static void *work(void *unused)
{
    int found;

    __asm__ volatile("movl %1, %0" : "=r"(found) : "m"(flag));
    __asm__ volatile("movl %1, %0" : "=r"(found) : "m"(*place));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);

    flag = 1;
    __asm__ volatile("incl %0" : "+m"(flag));

    place = &other;
    pthread_join(thread, NULL);
    return flag > 3;
}
