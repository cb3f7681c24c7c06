// steam: error=none std=c++17
// new and delete in all their forms, each block used to its last byte.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

struct base {
    virtual ~base() = default;
    int x = 1;
};
struct other {
    virtual ~other() = default;
    int y = 2;
};
struct derived : base, other {
    char tail[5] = "tail";
};
struct alignas(128) aligned {
    char bytes[128];
};

int main()
{
    int wrong = 0;
    other *across = new derived;
    wrong += across->y != 2;
    delete across;
    auto *objects = new derived[7];
    std::memcpy(objects[6].tail, "last", 5);
    delete[] objects;
    char *raw = static_cast<char *>(::operator new(33));
    std::memset(raw, 1, 33);
    ::operator delete(raw);
    auto *a = new aligned[2];
    wrong += reinterpret_cast<std::uintptr_t>(a) % 128 != 0;
    a[1].bytes[127] = 1;
    delete[] a;
    int *empty = new int[0];
    delete[] empty;
    int *nothrow = new (std::nothrow) int[3]{1, 2, 3};
    wrong += nothrow[2] != 3;
    delete[] nothrow;
    alignas(derived) char storage[sizeof(derived)];
    auto *placed = new (storage) derived;
    placed->tail[3] = '!';
    placed->~derived();
    delete static_cast<base *>(nullptr);
    auto shared = std::make_shared<derived>();
    std::shared_ptr<char> inside(shared, &shared->tail[4]);
    shared.reset();
    wrong += *inside != 0;
    std::printf("wrong %d\n", wrong);
    return wrong;
}
