// steam: expect=assert args=3 with=leader.h
/* The paper's model `leader`, as StEAM threads. */
#define IVM_STACK_SIZE 16384
#include "IVMThread.h"
#include "leader.h"

class Node : public IVMThread {
public:
    void run()
    {
        node(ID - 2);
    }
};

static Node nodes[MOST];

int main(int argc, char **argv)
{
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    open_channels();
    BEGINATOMIC
    for (int i = 0; i < count; i++)
        nodes[i].start();
    ENDATOMIC
    for (int i = 0; i < count; i++)
        nodes[i].join();
    return 0;
}
