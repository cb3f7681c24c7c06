// steam: std=c++17
// Templates: metaprogramming, variadics, folds, partial specialisation, SFINAE, CRTP, expression templates, if constexpr.
#include <array>
#include <cstdio>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

template <unsigned N> struct factorial : std::integral_constant<unsigned long long, N * factorial<N - 1>::value> {};
template <> struct factorial<0> : std::integral_constant<unsigned long long, 1> {};
template <int N, int D = N - 1> constexpr bool is_prime = N % D != 0 && is_prime<N, D - 1>;
template <int N> constexpr bool is_prime<N, 1> = true;

template <class T> struct describe {
    static std::string name() { return "thing"; }
};
template <> struct describe<int> {
    static std::string name() { return "int"; }
};
template <> struct describe<double> {
    static std::string name() { return "double"; }
};
template <class T> struct describe<T *> {
    static std::string name() { return "pointer to " + describe<T>::name(); }
};
template <class T> struct describe<const T> {
    static std::string name() { return "const " + describe<T>::name(); }
};
template <class T, std::size_t N> struct describe<T[N]> {
    static std::string name() { return "array of " + std::to_string(N) + " " + describe<T>::name(); }
};
template <class R, class... A> struct describe<R(A...)> {
    static std::string name() { return "function of (" + ((describe<A>::name() + ",") + ... + "") + ") to " + describe<R>::name(); }
};

template <class... T> auto sum(T... values) { return (values + ... + 0); }
template <class... T> bool all(T... values) { return (... && values); }
template <class F, class... T> void each(F f, T &&...values) { (f(std::forward<T>(values)), ...); }

template <class T, class = void> struct has_size : std::false_type {};
template <class T> struct has_size<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
template <class T> std::enable_if_t<std::is_integral_v<T>, const char *> sort_of(T) { return "integral"; }
template <class T> std::enable_if_t<std::is_floating_point_v<T>, const char *> sort_of(T) { return "floating"; }
template <class T> const char *sort_of(const std::vector<T> &) { return "vector"; }

template <class Derived> struct comparable {
    friend bool operator>(const Derived &a, const Derived &b) { return b < a; }
    friend bool operator<=(const Derived &a, const Derived &b) { return !(b < a); }
};
struct version : comparable<version> {
    int major, minor;
    version(int a, int b) : major(a), minor(b) {}
    friend bool operator<(const version &a, const version &b) { return std::tie(a.major, a.minor) < std::tie(b.major, b.minor); }
};

template <class L, class R> struct plus_expression {
    const L &left;
    const R &right;
    double operator[](std::size_t i) const { return left[i] + right[i]; }
};
struct row {
    std::array<double, 4> values{};
    double operator[](std::size_t i) const { return values[i]; }
    template <class E> row &operator=(const E &e)
    {
        for (std::size_t i = 0; i < 4; i++)
            values[i] = e[i];
        return *this;
    }
};
template <class L, class R> plus_expression<L, R> operator+(const L &l, const R &r) { return {l, r}; }

template <std::size_t... I> constexpr auto squares(std::index_sequence<I...>) { return std::array<unsigned, sizeof...(I)>{(I * I)...}; }
template <class Tuple, std::size_t... I> void print_tuple(const Tuple &t, std::index_sequence<I...>)
{
    ((std::printf("%s%s", I ? ", " : "(", std::to_string(std::get<I>(t)).c_str())), ...);
    std::puts(")");
}
template <class T> std::string stringify(const T &value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return "'" + value + "'";
    else if constexpr (std::is_arithmetic_v<T>)
        return std::to_string(value);
    else if constexpr (has_size<T>::value) {
        std::string out = "[";
        for (const auto &v : value)
            out += stringify(v) + " ";
        return out + "]";
    } else
        return "?";
}
template <template <class...> class Container, class... T> std::size_t collect(T... values)
{
    Container<std::common_type_t<T...>> c{static_cast<std::common_type_t<T...>>(values)...};
    return c.size() * sizeof(typename decltype(c)::value_type);
}
template <class T> constexpr T gcd(T a, T b) { return b == 0 ? a : gcd(b, a % b); }
constexpr int fibonacci(int n)
{
    int a = 0, b = 1;
    for (; n > 0; n--) {
        int c = a + b;
        a = b, b = c;
    }
    return a;
}
template <auto Value> struct constant {
    static constexpr auto value = Value;
};

int main()
{
    std::printf("%llu %d %d\n", factorial<20>::value, is_prime<97>, is_prime<91>);
    std::printf("%s; %s; %s\n", describe<const int *>::name().c_str(), describe<double[3]>::name().c_str(), describe<int(double, int *)>::name().c_str());
    std::printf("%d %g %d %d\n", sum(1, 2, 3), sum(1, 2.5), sum(), all(true, 1, 'x'));
    each([](auto v) { std::printf("%s ", stringify(v).c_str()); }, 1, 2.5, std::string("text"), std::vector<std::vector<int>>{{1}, {2, 3}}, nullptr);
    std::puts("");
    std::printf("%s %s %s %d %d\n", sort_of('c'), sort_of(1.0f), sort_of(std::vector<int>{}), has_size<std::string>::value, has_size<int>::value);
    std::printf("%d %d\n", version(1, 10) > version(1, 9), version(2, 0) <= version(1, 99));
    row a, b, c;
    for (std::size_t i = 0; i < 4; i++)
        a.values[i] = double(i), b.values[i] = 0.5 * double(i);
    c = a + b + a;
    std::printf("%g %g\n", c[1], c[3]);
    constexpr auto table = squares(std::make_index_sequence<10>{});
    unsigned total = 0;
    for (unsigned v : table)
        total += v;
    static_assert(fibonacci(20) == 6765 && gcd(48, 36) == 12);
    std::printf("%u %d\n", total, fibonacci(30));
    print_tuple(std::make_tuple(1, 2.5, 'c', 4ull), std::make_index_sequence<4>{});
    std::printf("%zu %zu\n", collect<std::vector>(1, 2L, 3.0), collect<std::vector>('a', 'b'));
    std::printf("%d %c\n", constant<42>::value, constant<'z'>::value);
    auto [x, y] = std::pair{3, 4.5};
    std::printf("%d %g %zu\n", x, y, std::tuple_size_v<decltype(std::tuple_cat(std::make_tuple(1, 2), std::make_tuple('a')))>);
    return 0;
}
