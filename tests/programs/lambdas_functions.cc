// steam: std=c++17 levels=O0,O2,Os
// Lambdas, std::function, bind, mem_fn, reference_wrapper: captures, mutability, recursion, currying, composition, callbacks, memoisation.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

template <class F, class G> static auto compose(F f, G g)
{
    return [=](auto x) { return f(g(x)); };
}
static auto curry = [](auto f) { return [=](auto a) { return [=](auto b) { return f(a, b); }; }; };
template <class F> struct fixed_point {
    F f;
    template <class... A> auto operator()(A &&...a) const { return f(*this, std::forward<A>(a)...); }
};
template <class F> fixed_point(F) -> fixed_point<F>;

static std::function<int(int)> counter_from(int start)
{
    return [n = start](int step) mutable { return n += step; };
}
struct account {
    int balance = 100;
    int deposit(int n) { return balance += n; }
    bool rich() const { return balance > 150; }
};
static int free_function(int a, int b, int c) { return a * 100 + b * 10 + c; }
struct functor {
    int factor;
    int operator()(int x) const { return x * factor; }
};
template <class R, class... A> static auto memoise(std::function<R(A...)> f)
{
    auto cache = std::make_shared<std::map<std::tuple<A...>, R>>();
    auto misses = std::make_shared<int>(0);
    auto wrapped = [=](A... a) {
        auto key = std::make_tuple(a...);
        auto it = cache->find(key);
        if (it == cache->end()) {
            ++*misses;
            it = cache->emplace(key, f(a...)).first;
        }
        return it->second;
    };
    return std::make_pair(std::function<R(A...)>(wrapped), misses);
}

class button {
    std::vector<std::function<void(const std::string &)>> handlers;

  public:
    template <class F> void on_click(F &&f) { handlers.emplace_back(std::forward<F>(f)); }
    void click(const std::string &who) const
    {
        for (auto &h : handlers)
            h(who);
    }
};

int main()
{
    auto increment = [](int x) { return x + 1; };
    auto square = [](auto x) { return x * x; };
    std::cout << compose(square, increment)(4) << ' ' << compose(increment, square)(4) << ' ' << square(1.5) << ' ' << curry([](int a, int b) { return a - b; })(10)(3) << '\n';
    fixed_point factorial{[](auto self, int n) -> long long { return n < 2 ? 1 : n * self(n - 1); }};
    std::cout << factorial(15) << '\n';
    auto a = counter_from(10), b = a;
    std::cout << a(1) << ' ' << a(1) << ' ' << b(5) << ' ' << a(1) << '\n';

    int total = 0;
    std::vector<int> v(10);
    std::iota(v.begin(), v.end(), 1);
    std::for_each(v.begin(), v.end(), [&total](int x) { total += x; });
    auto by_reference = [&] { return total; };
    auto by_value = [=] { return total; };
    total = 1000;
    std::cout << by_reference() << ' ' << by_value() << '\n';
    auto owner = [p = std::make_unique<int>(77)] { return *p; };
    auto moved = std::move(owner);
    std::cout << moved() << '\n';

    std::function<int(int)> f = increment;
    std::cout << f(1) << ' ';
    f = functor{7};
    std::cout << f(6) << ' ' << (f.target<functor>() != nullptr) << ' ';
    f = nullptr;
    try {
        f(0);
    } catch (const std::bad_function_call &) {
        std::cout << "empty function\n";
    }
    using namespace std::placeholders;
    auto bound = std::bind(free_function, _2, 5, _1);
    std::cout << bound(1, 2) << ' ' << std::bind(&account::deposit, account{}, _1)(11) << ' ';
    account x, y;
    y.balance = 200;
    std::vector<account> accounts{x, y, x};
    std::cout << std::count_if(accounts.begin(), accounts.end(), std::mem_fn(&account::rich)) << ' ' << std::invoke(&account::balance, y) << ' ' << std::invoke(&account::deposit, &x, 5) << '\n';
    std::vector<std::reference_wrapper<int>> sorted(v.begin(), v.end());
    std::sort(sorted.begin(), sorted.end(), [](int l, int r) { return l % 4 != r % 4 ? l % 4 < r % 4 : l < r; });
    for (int &r : sorted)
        std::cout << r << ' ', r *= 10;
    std::cout << "| " << v[0] << ' ' << v[9] << '\n';

    std::function<long long(int)> fibonacci;
    auto [fast, misses] = memoise(std::function<long long(int)>([&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }));
    fibonacci = fast;
    std::cout << fibonacci(80) << ' ' << *misses << '\n';

    button ok;
    std::string log;
    int clicks = 0;
    ok.on_click([&](const std::string &who) { log += who + ";"; });
    ok.on_click([&clicks](auto &&...) { clicks++; });
    ok.click("ann"), ok.click("ben");
    std::cout << log << clicks << '\n';
    int (*plain)(int, int) = [](int p, int q) { return p ^ q; };
    std::map<std::string, std::function<double(double, double)>> operations{{"add", std::plus<>()}, {"sub", std::minus<>()}, {"hyp", [](double p, double q) { return p * p + q * q; }}};
    for (auto &[name, op] : operations)
        std::cout << name << '=' << op(3, 4) << ' ';
    std::cout << plain(6, 3) << ' ' << std::not_fn([](int n) { return n > 0; })(5) << '\n';
    constexpr auto compile_time = [](int n) { return n * n; };
    static_assert(compile_time(5) == 25);
    return [] { return 0; }();
}
