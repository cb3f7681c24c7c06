// steam: expect=deadlock args=3 endless
/* The paper's model `philo`, as StEAM threads with StEAM locks: philosophers who think and eat for
 * ever, and take the left fork first. When each holds one, nobody gets another. */
#include <cstdlib>

#define IVM_STACK_SIZE 16384
#include "IVMThread.h"

#ifndef N
#define N 3
#endif

static const int MOST = 4000;
static int forks[MOST];
static int count = N;

class Philosopher : public IVMThread {
public:
    void run()
    {
        int *left = &forks[ID - 2], *right = &forks[(ID - 1) % count];
        for (;;) {
            VLOCK(left);
            VLOCK(right); /* ERROR */
            VUNLOCK(right);
            VUNLOCK(left);
        }
    }
};

static Philosopher philosophers[MOST];

int main(int argc, char **argv)
{
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    BEGINATOMIC
    for (int i = 0; i < count; i++)
        philosophers[i].start();
    ENDATOMIC
    philosophers[0].join();
    return 0;
}
