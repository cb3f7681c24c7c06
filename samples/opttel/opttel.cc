// steam: expect=deadlock args=2 with=opttel.h endless
/* The paper's model `opttel`, as StEAM threads. */
#define IVM_STACK_SIZE 16384
#include "IVMThread.h"
#include "opttel.h"

class Operator : public IVMThread {
public:
    void run()
    {
        operator_number(ID - 2);
    }
};

static Operator operators[2 * MOST];

int main(int argc, char **argv)
{
    if (argc > 1)
        count = atoi(argv[1]);
    if (count < 2 || count > MOST)
        return 2;
    open_lines();
    BEGINATOMIC
    for (int i = 0; i < 2 * count; i++)
        operators[i].start();
    ENDATOMIC
    operators[0].join();
    return 0;
}
