// steam: levels=O0
// race: Base._vptr.Base 11 27
// race: Derived._vptr.Base 21 27
/* The destructor of the base class waits for the thread. Before that, each destructor has written
 * the pointer to its table of virtual functions, which the thread reads for its call. */
#include <semaphore.h>
#include <thread>

class Base {
public:
    virtual ~Base() { sem_wait(&ended); }
    virtual int step() { return 0; }

protected:
    sem_t ended;
};

class Derived : public Base {
public:
    Derived() { sem_init(&ended, 0, 0); }
    ~Derived() override {}
    int step() override { return 1; }

    void run()
    {
        Base *self = this;
        result = self->step();
        sem_post(&ended);
    }

    static inline int result;
};

int main()
{
    auto *object = new Derived;
    std::thread other([object] { object->run(); });
    delete object;
    other.join();
    return Derived::result > 1;
}
