// steam: error=use-after-free
// An observer is deleted and stays registered.
#include <cstdio>
#include <vector>

struct observer {
    int seen = 0;
    virtual ~observer() = default;
    virtual void notify(int value) { seen += value; }
};

static void __attribute__((noinline)) publish(const std::vector<observer *> &observers, int value)
{
    for (observer *o : observers)
        o->notify(value); /* ERROR */
}

int main()
{
    observer *first = new observer;
    observer *second = new observer; /* ALLOC */
    std::vector<observer *> observers{first, second};
    publish(observers, 5);
    std::printf("%d\n", second->seen);
    delete second; /* FREE */
    publish(observers, 7);
    delete first;
    return 0;
}
