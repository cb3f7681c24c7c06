// Virtual, multiple and virtual inheritance: dispatch, adjusted pointers, covariant returns, member pointers, calls from constructors.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct shape {
    virtual ~shape() { std::printf("~shape "); }
    virtual double area() const = 0;
    virtual shape *clone() const = 0;
    virtual std::string name() const { return "shape"; }
    double twice() const { return 2 * area(); }
};
struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    ~square() override { std::printf("~square "); }
    double area() const override { return side * side; }
    square *clone() const override { return new square(*this); }
    std::string name() const override { return "square of " + shape::name(); }
};
struct named {
    char label[16];
    explicit named(const char *l) { std::snprintf(label, sizeof label, "%s", l); }
    virtual ~named() { std::printf("~named "); }
    virtual const char *describe() const { return label; }
};
struct labelled_square final : square, named {
    labelled_square(double s, const char *l) : square(s), named(l) {}
    ~labelled_square() override { std::printf("~labelled "); }
    labelled_square *clone() const override { return new labelled_square(*this); }
    const char *describe() const override { return side > 2 ? "big" : label; }
};

struct device {
    int id;
    explicit device(int i) : id(i) { std::printf("device(%d) ", i); }
    virtual ~device() = default;
    virtual int read() const { return id; }
    virtual int port() const { return 1; }
};
struct input : virtual device {
    int in = 10;
    explicit input(int i) : device(i) {}
    int read() const override { return id + in; }
};
struct output : virtual device {
    int out = 20;
    explicit output(int i) : device(i) {}
    int port() const override { return out; }
    virtual void flush() { out++; }
};
struct terminal : input, output {
    int own = 30;
    terminal() : device(7), input(1), output(2) {}
    void flush() override
    {
        output::flush();
        own++;
    }
};
struct remote : terminal {
    char buffer[40] = "remote";
    remote() : device(8) {}
    int read() const override { return terminal::read() * 2; }
};

struct early {
    early() { report(); }
    virtual ~early() { report(); }
    virtual void report() const { std::printf("[early] "); }
};
struct late : early {
    late() { report(); }
    ~late() override { report(); }
    void report() const override { std::printf("[late] "); }
};

struct counter {
    int a = 1, b = 2;
    int add(int x) { return a += x; }
    virtual int twice(int x) { return 2 * x; }
    static int free_function(int x) { return x + 1; }
};
struct special_counter : counter {
    int twice(int x) override { return 20 * x + b; }
};

int main()
{
    std::vector<std::unique_ptr<shape>> shapes;
    shapes.emplace_back(new square(1.5));
    shapes.emplace_back(new labelled_square(3, "unit"));
    shapes.emplace_back(shapes[1]->clone());
    for (auto &s : shapes)
        std::printf("%s %g %g\n", s->name().c_str(), s->area(), s->twice());
    labelled_square both(2, "both");
    named *second = &both;
    shape *first = &both;
    std::printf("different addresses %d, same object %d\n", static_cast<void *>(first) != static_cast<void *>(second), dynamic_cast<void *>(first) == dynamic_cast<void *>(second));
    both.side = 5;
    std::printf("%s %d\n", second->describe(), static_cast<labelled_square *>(second) == &both);
    shapes.clear();
    std::puts("");

    terminal t;
    std::puts("");
    device *d = &t;
    output *o = &t;
    o->flush();
    std::printf("%d %d %d %d\n", d->read(), d->port(), t.own, t.id);
    remote r;
    input &i = r;
    std::printf("%d %d %s\n", i.read(), static_cast<device &>(i).port(), r.buffer);
    remote copied = r;
    copied.id = 100, copied.out = 55;
    const device &cd = copied;
    std::printf("%d %d %d\n", cd.read(), cd.port(), r.id);

    {
        late l;
    }
    std::puts("");
    counter c;
    special_counter sc;
    int counter::*data = &counter::b;
    int (counter::*method)(int) = &counter::add, (counter::*virt)(int) = &counter::twice;
    int (*plain)(int) = &counter::free_function;
    counter *p = &sc;
    c.*data = 40;
    std::printf("%d %d %d %d %d\n", (c.*method)(5), c.b, (p->*virt)(3), (c.*virt)(3), plain(1));
    data = nullptr;
    std::printf("%d %d\n", data == nullptr, method == &counter::add);
    return 0;
}
