#include <cstdio>

namespace outer {
int plain = 17;
namespace inner { long long deep = -5; }
enum class shade : unsigned char { dark = 1, light = 200 };
enum old { first_old, second_old = 40 };
class base {
public:
    int b = 7;
    static int counter;
    static const int limit = 99;
};
int base::counter = 55;
struct left : virtual base { int l = 21; };
struct right : virtual base { int r = 22; };
struct diamond : left, right { int own = 23; };
struct derived : public base {
    short s = -3;
    int &reference;
    shade tone = shade::light;
    union { int ua; float uf; };
    derived(int &r) : reference(r), ua(0x3f800000) {}
};
struct plain_base { int pb; };
struct other_base { int ob; };
struct multiple : plain_base, other_base { bool flag; char text[6]; };
}
struct outer_struct { struct nested { int n; } in; int (*call)(int); };
static int twice(int x) { return 2 * x; }
outer_struct os = { { 31 }, twice };
outer::multiple many = { { 3 }, { 4 }, true, "abc" };
outer::multiple *pm = &many;
outer::other_base *po = &many;
int &ref = outer::plain;
outer::derived d(outer::plain); outer::diamond dia;
outer::old previous = outer::second_old;
outer::shade tone = outer::shade::dark;
bool truth = true; wchar_t wide = L'x'; char16_t sixteen = 0x1234;
template <typename T> struct box { T value; };
box<int> bi = { 8 }; box<double> bd = { 2.5 };
using alias = box<int>;

static void show(long long v) { printf("%lld\n", v); }
static void show(unsigned long long v) { printf("%llu\n", v); }
static void show(int v) { show((long long)v); }
static void show(long v) { show((long long)v); }
static void show(unsigned v) { show((unsigned long long)v); }
static void show(unsigned long v) { show((unsigned long long)v); }
static void show(double v) { printf("%.17g\n", v); }
static void show(const volatile void *v) { printf("%u\n", (unsigned)v); }
template <typename R, typename... A> static void show(R (*v)(A...)) { show((const void *)v); }
template <typename T> static void tell(const T &object) {
    printf("M %u ", (unsigned)&object);
    for (unsigned i = 0; i < sizeof object; i++) printf("%02x", ((const unsigned char *)&object)[i]);
    printf("\n");
}
#define E(e) (printf("%u ", (unsigned)sizeof((e) + 0)), show((e) + 0))
int main() {
    tell(d);
    tell(dia);
#include "expressions.inc"
    return 0;
}
