// All kinds of types and variables, for questions about them.
namespace space { struct inner { int deep; static int shared; }; int inner::shared = 3; }
enum color { RED, GREEN = 5 };
struct base { int b; };
struct thing : base {
    thing *next;
    unsigned bits : 3;
    union { int i; float f; };
    char text[8];
    space::inner in[2];
    color paint;
};
thing object = { { 1 }, &object, 2, { 3 }, "text", { { 4 }, { 5 } }, GREEN };
thing *pointer = &object;
int grid[3][4] = { { 1, 2 } };
double real = 1.5;
long long wide = 7;
int &reference = grid[1][1];
static int twice(int x) { static int calls; calls += x; return 2 * calls; }
int (*function)(int) = twice;
template <typename T> struct box { T held; };
box<long> boxed = { 4 };
__attribute__((noinline)) int work(int a, thing &t)
{
    int sum = a;
    for (int i = 0; i < a; i++) {
        long long wider = i * wide;
        sum += (int)wider + t.in[i & 1].deep;
    }
    return sum + function(a);
}
extern "C" void _start() { for (;;) grid[0][0] += work(grid[0][1], object); }
