// steam: pie
// Exceptions through several frames: destructors in order, catch by base and value, partial construction, arrays.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static int alive;

struct tracer {
    std::string name;
    explicit tracer(std::string n) : name(std::move(n))
    {
        ++alive;
        std::printf("  +%s\n", name.c_str());
    }
    tracer(const tracer &other) : name(other.name + "'") { ++alive; }
    ~tracer()
    {
        --alive;
        std::printf("  -%s\n", name.c_str());
    }
};

struct base_error : std::runtime_error {
    int code;
    base_error(const std::string &what, int c) : std::runtime_error(what), code(c) {}
    virtual const char *kind() const { return "base"; }
};
struct derived_error : base_error {
    derived_error(const std::string &what) : base_error(what, 42) {}
    const char *kind() const override { return "derived"; }
};

static void level(int depth, int how)
{
    tracer here("level" + std::to_string(depth));
    if (depth == 0) {
        switch (how) {
        case 0: throw derived_error("from the bottom");
        case 1: throw base_error("plain", 7);
        case 2: throw 99;
        case 3: throw std::string("a string");
        case 4: throw "a literal";
        case 5: throw tracer("thrown");
        case 6: std::vector<int>().at(3); break;
        case 7: throw 2.5;
        }
    }
    level(depth - 1, how);
}

static void middle(int how)
{
    tracer guard("middle");
    try {
        level(2, how);
    } catch (const derived_error &e) {
        std::printf("middle saw %s, throws on\n", e.kind());
        throw;
    } catch (int i) {
        std::printf("middle turns %d into an error\n", i);
        throw base_error("converted", i);
    }
}

static void outer(int how)
{
    try {
        middle(how);
    } catch (base_error &e) {
        std::printf("outer: %s '%s' %d\n", e.kind(), e.what(), e.code);
    } catch (const std::exception &e) {
        std::printf("outer: standard %s\n", e.what());
    } catch (const std::string &s) {
        std::printf("outer: text %s\n", s.c_str());
    } catch (const char *s) {
        std::printf("outer: literal %s\n", s);
    } catch (tracer &t) {
        std::printf("outer: object %s\n", t.name.c_str());
    } catch (...) {
        std::printf("outer: something else\n");
    }
    std::printf("alive %d\n", alive);
}

struct half_built {
    tracer first{"first"}, second{"second"};
    half_built()
    {
        std::printf("  constructor fails\n");
        throw std::logic_error("half built");
    }
    ~half_built() { std::printf("never destroyed\n"); }
};
struct picky {
    tracer t;
    explicit picky(int i) : t("element" + std::to_string(i))
    {
        if (i == 3)
            throw i;
    }
};
struct function_try {
    tracer member;
    function_try() try : member("member") { throw 1; }
    catch (int)
    {
        std::printf("  constructor's own handler, rethrows\n");
    }
};

static int with_return()
{
    try {
        tracer t("returning");
        try {
            throw 5;
        } catch (int x) {
            return x * 2;
        }
    } catch (...) {
        return -1;
    }
    return 0;
}

int main()
{
    for (int how = 0; how < 8; how++)
        outer(how);
    try {
        half_built h;
    } catch (const std::logic_error &e) {
        std::printf("caught %s, alive %d\n", e.what(), alive);
    }
    try {
        std::vector<picky> list;
        list.reserve(10);
        for (int i = 0; i < 5; i++)
            list.emplace_back(i);
    } catch (int i) {
        std::printf("element %d failed, alive %d\n", i, alive);
    }
    try {
        function_try f;
    } catch (int i) {
        std::printf("function try %d, alive %d\n", i, alive);
    }
    std::printf("returned %d, alive %d\n", with_return(), alive);
    long total = 0;
    for (int i = 0; i < 300; i++)
        try {
            if (i % 3 == 0)
                throw i;
            total += 1;
        } catch (int x) {
            total += x;
        }
    std::printf("total %ld\n", total);
    return 0;
}
