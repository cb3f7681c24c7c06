// steam: std=c++17 exit=3
// Nested exceptions, exception_ptr, rethrow across functions, uncaught_exceptions, noexcept, bad_alloc, a terminate handler.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <vector>

static void print_nested(const std::exception &e, int depth = 0)
{
    std::printf("%*s%s\n", depth * 2, "", e.what());
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
        print_nested(inner, depth + 1);
    } catch (...) {
        std::printf("%*s(not an exception)\n", depth * 2 + 2, "");
    }
}

static void parse(const std::string &text)
{
    try {
        std::printf("%d\n", std::stoi(text));
    } catch (...) {
        std::throw_with_nested(std::runtime_error("cannot parse '" + text + "'"));
    }
}
static void load(const std::string &text)
{
    try {
        parse(text);
    } catch (...) {
        std::throw_with_nested(std::logic_error("cannot load"));
    }
}

struct guard {
    const char *name;
    int before = std::uncaught_exceptions();
    ~guard() { std::printf("%s leaves %s\n", name, std::uncaught_exceptions() > before ? "by exception" : "normally"); }
};

static std::exception_ptr capture(int which)
{
    try {
        guard g{"capture"};
        if (which == 0)
            throw std::out_of_range("captured range");
        if (which == 1)
            throw which;
        if (which == 2)
            throw std::system_error(std::make_error_code(std::errc::permission_denied), "system");
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}
static void release(const std::exception_ptr &p)
{
    if (!p) {
        std::puts("nothing captured");
        return;
    }
    try {
        std::rethrow_exception(p);
    } catch (const std::system_error &e) {
        std::printf("system error %d %d\n", e.code().value() == int(std::errc::permission_denied), e.code().category() == std::generic_category());
    } catch (const std::exception &e) {
        std::printf("released %s\n", e.what());
    } catch (int i) {
        std::printf("released %d\n", i);
    }
}

static void lippincott()
{
    try {
        throw;
    } catch (const std::bad_alloc &) {
        std::puts("bad_alloc");
    } catch (const std::bad_cast &) {
        std::puts("bad_cast");
    } catch (const std::bad_typeid &) {
        std::puts("bad_typeid");
    } catch (const std::invalid_argument &e) {
        std::printf("invalid %s\n", e.what());
    } catch (const std::exception &e) {
        std::printf("other %s\n", typeid(e).name());
    }
}
template <class F> static void attempt(F f)
{
    try {
        f();
    } catch (...) {
        lippincott();
    }
}

struct polymorphic {
    virtual ~polymorphic() = default;
};
struct leaf : polymorphic {};

static void thrower() noexcept(false) { throw 1; }
static void safe() noexcept {}

struct nested_in_destructor {
    ~nested_in_destructor()
    {
        try {
            throw std::runtime_error("inside a destructor");
        } catch (const std::exception &e) {
            std::printf("handled %s while unwinding\n", e.what());
        }
    }
};

int main()
{
    load("12");
    for (const char *text : {"twelve", "99999999999999"})
        try {
            load(text);
        } catch (const std::exception &e) {
            print_nested(e);
        }
    for (int i = 0; i < 4; i++)
        release(capture(i));
    auto copy = capture(0);
    auto second = copy;
    std::printf("same %d\n", copy == second);
    release(second);

    attempt([] { volatile std::size_t huge = std::numeric_limits<std::size_t>::max() - 4096; ::operator delete(::operator new(huge)); });
    attempt([] { volatile long many = -1; delete[] new int[static_cast<std::size_t>(many)]; });
    attempt([] { polymorphic p; (void)dynamic_cast<leaf &>(p); });
    attempt([] { polymorphic *p = nullptr; (void)typeid(*p); });
    attempt([] { throw std::invalid_argument("argument"); });
    attempt([] { std::vector<int> v; v.resize(v.max_size() + 1); });
    attempt([] { (void)std::string("abc").substr(9); });
    volatile std::size_t too_much = std::numeric_limits<std::size_t>::max() - 4096;
    void *nothing = ::operator new(too_much, std::nothrow);
    std::printf("nothrow %d\n", nothing == nullptr);
    std::printf("noexcept %d %d\n", noexcept(thrower()), noexcept(safe()));

    try {
        nested_in_destructor n;
        throw 5;
    } catch (int i) {
        std::printf("outer survives with %d\n", i);
    }
    try {
        try {
            throw std::string("first");
        } catch (std::string &s) {
            s += "+changed";
            throw;
        }
    } catch (const std::string &s) {
        std::printf("%s\n", s.c_str());
    }
    std::set_terminate([] {
        std::puts("terminate handler exits");
        std::exit(3);
    });
    [&]() noexcept { throw std::runtime_error("escapes noexcept"); }();
    return 0;
}
