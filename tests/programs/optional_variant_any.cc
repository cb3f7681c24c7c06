// steam: std=c++17 levels=O0,O1,O3
// optional, variant with visitors, any, tuple, a small expression tree as a variant, and an event loop over them.
#include <any>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

template <class... F> struct overloaded : F... {
    using F::operator()...;
};
template <class... F> overloaded(F...) -> overloaded<F...>;

struct binary;
using node = std::variant<double, std::string, std::unique_ptr<binary>>;
struct binary {
    char op;
    node left, right;
};
static node make(char op, node l, node r) { return std::make_unique<binary>(binary{op, std::move(l), std::move(r)}); }
using environment = std::map<std::string, double>;

static std::optional<double> evaluate(const node &n, const environment &e)
{
    return std::visit(overloaded{[](double d) { return std::optional(d); },
                                 [&](const std::string &name) { return e.count(name) ? std::optional(e.at(name)) : std::nullopt; },
                                 [&](const std::unique_ptr<binary> &b) -> std::optional<double> {
                                     auto l = evaluate(b->left, e), r = evaluate(b->right, e);
                                     if (!l || !r || (b->op == '/' && *r == 0))
                                         return std::nullopt;
                                     switch (b->op) {
                                     case '+': return *l + *r;
                                     case '*': return *l * *r;
                                     case '/': return *l / *r;
                                     default: return std::pow(*l, *r);
                                     }
                                 }},
                      n);
}
static std::string text(const node &n)
{
    return std::visit(overloaded{[](double d) { return std::to_string(int(d)); }, [](const std::string &s) { return s; }, [](const std::unique_ptr<binary> &b) { return "(" + text(b->left) + b->op + text(b->right) + ")"; }}, n);
}

struct key_press {
    char key;
};
struct click {
    int x, y;
};
struct quit {};
using event = std::variant<key_press, click, quit>;

struct noisy {
    static int alive;
    int id;
    noisy(int i) : id(i) { alive++; }
    noisy(const noisy &o) : id(o.id) { alive++; }
    noisy(noisy &&o) noexcept : id(std::exchange(o.id, -1)) { alive++; }
    noisy &operator=(const noisy &) = default;
    ~noisy() { alive--; }
};
int noisy::alive;

static void optionals()
{
    std::optional<noisy> o;
    std::cout << o.has_value() << noisy::alive;
    o.emplace(5);
    std::cout << o->id << noisy::alive;
    o = noisy(7);
    auto copy = o;
    std::cout << copy->id << noisy::alive;
    o.reset();
    std::cout << o.value_or(noisy(9)).id << noisy::alive << ' ' << (copy.has_value() > o.has_value()) << '\n';
    try {
        (void)o.value();
    } catch (const std::bad_optional_access &) {
        std::cout << "empty optional\n";
    }
    std::optional<std::string> s = std::make_optional<std::string>(3, 'x');
    std::cout << *s << ' ' << (s == "xxx") << ' ' << (std::optional<int>() < 0) << '\n';
}
static void anything()
{
    std::vector<std::any> things{1, 2.5, std::string("text"), noisy(3), std::vector<int>{1, 2, 3}, 'c', nullptr};
    int known = 0;
    for (auto &a : things) {
        if (auto *i = std::any_cast<int>(&a))
            std::cout << "int " << *i << ", ", known++;
        else if (auto *s = std::any_cast<std::string>(&a))
            std::cout << "string " << *s << ", ", known++;
        else if (a.type() == typeid(noisy))
            std::cout << "noisy " << std::any_cast<noisy &>(a).id << ", ", known++;
    }
    try {
        std::any_cast<float>(things[1]);
    } catch (const std::bad_any_cast &) {
        std::cout << "bad any cast, ";
    }
    things[0].reset();
    std::cout << known << ' ' << things[0].has_value() << ' ' << noisy::alive << '\n';
}

int main()
{
    node tree = make('+', make('*', 2.0, std::string("x")), make('/', std::string("y"), make('^', 3.0, 2.0)));
    std::cout << text(tree) << ' ' << evaluate(tree, {{"x", 5}, {"y", 18}}).value() << ' ' << evaluate(tree, {{"x", 1}}).has_value() << '\n';
    std::vector<event> events{key_press{'a'}, click{3, 4}, key_press{'b'}, quit{}, click{9, 9}};
    std::string log;
    for (auto &e : events) {
        bool stop = std::visit(overloaded{[&](key_press k) { log += k.key; return false; }, [&](const click &c) { log += std::to_string(c.x * c.y); return false; }, [](quit) { return true; }}, e);
        std::cout << e.index();
        if (stop)
            break;
    }
    std::cout << ' ' << log << '\n';
    std::variant<int, std::string, double> v = "text";
    std::cout << std::holds_alternative<std::string>(v) << ' ' << std::get<1>(v) << ' ' << (std::get_if<int>(&v) == nullptr);
    v = 3.5;
    try {
        (void)std::get<int>(v);
    } catch (const std::bad_variant_access &) {
        std::cout << " wrong alternative";
    }
    std::variant<std::monostate, int> m;
    std::cout << ' ' << m.index() << ' ' << (v < decltype(v)(4.0)) << '\n';
    optionals();
    anything();
    auto t = std::make_tuple(1, std::string("two"), 3.0);
    auto [a, b, c] = t;
    std::get<1>(t) += "!";
    std::cout << a << b << c << std::get<std::string>(t) << ' ' << std::apply([](int i, const std::string &s, double d) { return i + int(s.size()) + int(d); }, t) << ' ' << (t < std::make_tuple(1, std::string("z"), 0.0)) << '\n';
    std::cout << noisy::alive << '\n';
    return 0;
}
