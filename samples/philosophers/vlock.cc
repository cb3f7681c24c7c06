// steam: expect=deadlock args=3
/* The paper's model `philo`: philosophers as StEAM threads, forks as StEAM locks. */
#include <cstdlib>

#include "IVMThread.h"

static const int MAX = 64;
static int forks[MAX];
static int count = 2;

class Philosopher : public IVMThread {
public:
    void run()
    {
        int seat = ID - 2;
        VLOCK(&forks[seat]);
        VLOCK(&forks[(seat + 1) % count]); /* ERROR */
        VUNLOCK(&forks[(seat + 1) % count]);
        VUNLOCK(&forks[seat]);
    }
};

int main(int argc, char **argv)
{
    Philosopher *philosophers[MAX];
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MAX)
        return 2;
    BEGINATOMIC
    for (int i = 0; i < count; i++) {
        philosophers[i] = new Philosopher();
        philosophers[i]->start();
    }
    ENDATOMIC
    for (int i = 0; i < count; i++) {
        philosophers[i]->join();
        delete philosophers[i];
    }
    return 0;
}
