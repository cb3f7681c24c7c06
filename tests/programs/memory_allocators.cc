// steam: std=c++17
// Memory in C++: class operator new, placement, arrays with cookies, aligned new, own allocators, polymorphic resources, an arena, unions.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

static long allocated, released, live;
template <class T> struct counting_allocator {
    using value_type = T;
    counting_allocator() = default;
    template <class U> counting_allocator(const counting_allocator<U> &) {}
    T *allocate(std::size_t n)
    {
        allocated++, live += long(n * sizeof(T));
        return static_cast<T *>(::operator new(n * sizeof(T)));
    }
    void deallocate(T *p, std::size_t n)
    {
        released++, live -= long(n * sizeof(T));
        ::operator delete(p);
    }
    template <class U> bool operator==(const counting_allocator<U> &) const { return true; }
    template <class U> bool operator!=(const counting_allocator<U> &) const { return false; }
};

class arena {
    alignas(16) unsigned char storage[4096];
    std::size_t used = 0;

  public:
    void *take(std::size_t size, std::size_t alignment)
    {
        used = (used + alignment - 1) / alignment * alignment;
        if (used + size > sizeof storage)
            throw std::bad_alloc();
        void *p = storage + used;
        used += size;
        return p;
    }
    std::size_t level() const { return used; }
};
void *operator new(std::size_t size, arena &a) { return a.take(size, alignof(std::max_align_t)); }
void operator delete(void *, arena &) { std::puts("placement delete after a throwing constructor"); }

struct pooled {
    static int news, deletes;
    int id;
    explicit pooled(int i) : id(i) {}
    static void *operator new(std::size_t size)
    {
        news++;
        return std::malloc(size);
    }
    static void operator delete(void *p, std::size_t size)
    {
        deletes += size == sizeof(pooled) ? 1 : 100;
        std::free(p);
    }
};
int pooled::news, pooled::deletes;
struct exploding {
    exploding() { throw 42; }
};
struct element {
    static int built, destroyed;
    int value = ++built;
    ~element() { destroyed += value; }
};
int element::built, element::destroyed;
struct alignas(64) wide {
    char bytes[64];
};
union either {
    std::string text;
    int number;
    either() : number(7) {}
    ~either() {}
};

class tracking_resource : public std::pmr::memory_resource {
    void *do_allocate(std::size_t bytes, std::size_t alignment) override
    {
        total += bytes;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void *p, std::size_t bytes, std::size_t alignment) override
    {
        freed += bytes;
        std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
    }
    bool do_is_equal(const memory_resource &o) const noexcept override { return this == &o; }

  public:
    std::size_t total = 0, freed = 0;
};

int main()
{
    {
        std::vector<int, counting_allocator<int>> v;
        for (int i = 0; i < 100; i++)
            v.push_back(i);
        std::list<double, counting_allocator<double>> l(10, 1.5);
        std::map<int, int, std::less<>, counting_allocator<std::pair<const int, int>>> m;
        for (int i = 0; i < 20; i++)
            m[i * 7 % 20] = i;
        std::printf("allocated %ld live %d\n", allocated, live > 0);
    }
    std::printf("released %ld live %ld\n", released, live);
    arena a;
    int *x = new (a) int(5);
    auto *s = new (a) std::string("in the arena");
    std::printf("%d %s %d\n", *x, s->c_str(), a.level() > 16);
    s->~basic_string();
    try {
        new (a) exploding;
    } catch (int i) {
        std::printf("caught %d\n", i);
    }
    auto *p = new pooled(3);
    delete p;
    std::printf("%d %d\n", pooled::news, pooled::deletes);
    auto *array = new element[10];
    delete[] array;
    std::printf("%d %d\n", element::built, element::destroyed);
    auto *w = new wide[3];
    std::printf("aligned %d\n", reinterpret_cast<std::uintptr_t>(w) % 64 == 0);
    delete[] w;
    either e;
    std::printf("%d ", e.number);
    new (&e.text) std::string("now a string that is long enough to be on the heap");
    std::printf("%zu\n", e.text.size());
    e.text.~basic_string();

    tracking_resource upstream;
    {
        std::pmr::monotonic_buffer_resource bump(1024, &upstream);
        std::pmr::vector<std::pmr::string> names(&bump);
        for (int i = 0; i < 50; i++)
            names.emplace_back("a name that does not fit in the small buffer " + std::to_string(i));
        std::printf("%zu %d\n", names.size(), upstream.total >= 50 * 40);
        std::pmr::unsynchronized_pool_resource chunks(&upstream);
        std::pmr::map<int, std::pmr::string> table(&chunks);
        for (int i = 0; i < 100; i++)
            table.emplace(i, "value");
        for (int i = 0; i < 100; i += 3)
            table.erase(i);
        std::printf("%zu\n", table.size());
    }
    std::printf("balanced %d\n", upstream.total == upstream.freed);
    std::allocator<std::string> plain;
    using traits = std::allocator_traits<decltype(plain)>;
    std::string *raw = traits::allocate(plain, 3);
    std::uninitialized_fill_n(raw, 3, std::string("filled"));
    std::printf("%s\n", raw[2].c_str());
    std::destroy_n(raw, 3);
    traits::deallocate(plain, raw, 3);
    void *space = a.take(100, 1);
    std::size_t room = 100;
    std::printf("%d\n", std::align(32, 32, space, room) != nullptr && reinterpret_cast<std::uintptr_t>(space) % 32 == 0);
    return 0;
}
