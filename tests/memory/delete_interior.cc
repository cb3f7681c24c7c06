// steam: error=invalid-free
// Deleting through a pointer to a base that is not at the object's start and has no virtual destructor.
#include <cstdio>

struct named {
    int id = 1;
};
struct counted {
    int count = 2;
};
struct item : named, counted {
    int own = 3;
};

static void __attribute__((noinline)) destroy(counted *c)
{
    delete c; /* ERROR */
}

int main()
{
    counted *plain = new counted;
    destroy(plain);
    item *whole = new item;
    std::printf("%d\n", whole->own);
    destroy(whole);
    return 0;
}
