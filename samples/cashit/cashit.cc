// steam: expect=assert args=2 with=cashit.h
/* The paper's model `cashit`, as StEAM threads. */
#define IVM_STACK_SIZE 16384
#include "IVMThread.h"
#include "cashit.h"

class Machine : public IVMThread {
public:
    void run()
    {
        serve(ID);
    }
};

static Machine machines[MOST];

int main(int argc, char **argv)
{
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 1 || count > MOST)
        return 2;
    BEGINATOMIC
    for (int i = 0; i < count; i++)
        machines[i].start();
    ENDATOMIC
    for (int i = 0; i < count; i++)
        machines[i].join();
    return 0;
}
