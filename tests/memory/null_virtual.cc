// steam: error=null-access
// A virtual call on an object that was never made.
#include <cstdio>
#include <map>
#include <string>

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double side = 2;
    double area() const override { return side * side; }
};

static double __attribute__((noinline)) total(const std::map<std::string, shape *> &shapes)
{
    double sum = 0;
    for (auto &entry : shapes)
        sum += entry.second->area(); /* ERROR */
    return sum;
}

int main()
{
    square s;
    std::map<std::string, shape *> shapes{{"a", &s}};
    std::printf("%g\n", total(shapes));
    shapes["b"];
    std::printf("%g\n", total(shapes));
    return 0;
}
