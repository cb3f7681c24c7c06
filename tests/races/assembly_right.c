// no race
/* Loads and stores that the program writes as inline assembly, as libraries for several compilers do. */
#include <pthread.h>
#include <stddef.h>

static int flag;
static int *place = &flag;

static inline int load(const int *from)
{
    int found;
    __asm__ volatile("movl %1, %0" : "=q"(found) : "m"(*from) : "memory");
    return found;
}

static inline void store(int *to, int value)
{
    __asm__ volatile("movl %1, %0"
                     : "=m"(*to)
                     : "iq"(value)
                     : "memory");
}

#define LOAD(from)                                                                                 \
    ({                                                                                             \
        int found_;                                                                                \
        __asm__ __volatile__("movl %1, %0" : "=r"(found_) : "m"(*(from)));                         \
        found_;                                                                                    \
    })

static void *work(void *unused)
{
    store(&flag, 1);
    store(place, 2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int early = load(place);
    early += LOAD(&flag);
    pthread_join(thread, NULL);
    return early > 4;
}
