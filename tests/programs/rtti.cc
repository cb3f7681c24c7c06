// typeid and dynamic_cast: up, down, across, failing casts, private bases, type_index in maps, names demangled.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

static std::string readable(const std::type_info &t)
{
    int status = 0;
    std::unique_ptr<char, void (*)(void *)> name(abi::__cxa_demangle(t.name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : t.name();
}

struct animal {
    virtual ~animal() = default;
    int legs = 4;
};
struct swimmer {
    virtual ~swimmer() = default;
    virtual int depth() const { return 1; }
};
struct flyer {
    virtual ~flyer() = default;
    double height = 2.5;
};
struct dog : animal {};
struct duck : animal, swimmer, flyer {
    duck() { legs = 2; }
    int depth() const override { return 3; }
};
struct fish : animal, swimmer {
    fish() { legs = 0; }
};
struct secret : private swimmer {
    swimmer *open() { return this; }
};
struct left : virtual animal {};
struct right : virtual animal {};
struct diamond : left, right {};
struct twin_a : animal {};
struct twin_b : animal {};
struct twins : twin_a, twin_b {};
template <class T, int N> struct generic : animal {
    T values[N] = {};
};
enum class colour { red };
namespace outer {
namespace {
struct hidden {};
}
using function = int (*)(double, const char *);
}

static void look(const animal &a)
{
    auto *s = dynamic_cast<const swimmer *>(&a);
    auto *f = dynamic_cast<const flyer *>(&a);
    auto *d = dynamic_cast<const duck *>(&a);
    std::printf("%-20s legs %d swims %d flies %g duck %d\n", readable(typeid(a)).c_str(), a.legs, s ? s->depth() : 0, f ? f->height : 0.0, d != nullptr);
}

int main()
{
    dog g;
    duck k;
    fish h;
    generic<long, 3> gen;
    for (const animal *a : {static_cast<const animal *>(&g), static_cast<const animal *>(&k), static_cast<const animal *>(&h), static_cast<const animal *>(&gen)})
        look(*a);

    swimmer *s = &k;
    flyer *across = dynamic_cast<flyer *>(s);
    std::printf("across %d, whole object %d\n", across == &k, dynamic_cast<void *>(across) == static_cast<void *>(&k));
    secret hush;
    std::printf("private base %d\n", dynamic_cast<secret *>(hush.open()) == nullptr ? 0 : 1);
    diamond d;
    left *l = &d;
    std::printf("diamond %d %d\n", dynamic_cast<right *>(l) == &d, dynamic_cast<animal *>(l) == static_cast<animal *>(&d));
    twins t;
    twin_a *ta = &t;
    std::printf("twins %d\n", dynamic_cast<twin_b *>(ta) == &t);
    try {
        (void)dynamic_cast<fish &>(static_cast<animal &>(k));
    } catch (const std::bad_cast &) {
        std::puts("bad cast");
    }

    const std::type_info *types[] = {&typeid(int), &typeid(const volatile int), &typeid(unsigned long long), &typeid(char *), &typeid(const char *const *), &typeid(colour), &typeid(outer::function), &typeid(int (&)[7]), &typeid(std::vector<std::map<int, duck>>),
                                     &typeid(double (dog::*)(int) const), &typeid(decltype(nullptr)), &typeid(generic<generic<char, 1>, 2>)};
    for (auto *type : types)
        std::printf("%s\n", readable(*type).c_str());
    std::printf("%d %d %d\n", typeid(int) == typeid(const int), typeid(int) == typeid(unsigned), typeid(*s) == typeid(duck));
    std::printf("%d %d\n", typeid(s) == typeid(swimmer *), typeid(outer::hidden) == typeid(outer::hidden));

    std::map<std::type_index, int> seen;
    std::vector<std::unique_ptr<animal>> zoo;
    for (int i = 0; i < 20; i++)
        zoo.emplace_back(i % 3 == 0 ? static_cast<animal *>(new dog) : i % 3 == 1 ? static_cast<animal *>(new duck) : new fish);
    for (auto &a : zoo)
        seen[typeid(*a)]++;
    std::printf("dogs %d ducks %d fish %d\n", seen[typeid(dog)], seen[typeid(duck)], seen[typeid(fish)]);
    return 0;
}
