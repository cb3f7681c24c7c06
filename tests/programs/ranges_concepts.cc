// steam: std=c++20 levels=O0,O2 gcc-only
// Ranges, concepts, spaceship, span, views; few levels because the headers compile slowly.
#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <iostream>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace views = std::views;
template <class T> concept shape = requires(const T &t) { { t.area() } -> std::convertible_to<double>; };
struct square {
    double side;
    double area() const { return side * side; }
};
struct blob {};
template <shape T> static double twice(const T &t) { return 2 * t.area(); }
template <class T> static const char *kind(const T &) { return "anything"; }
template <std::integral T> static const char *kind(const T &) { return "integral"; }
template <std::signed_integral T> static const char *kind(const T &) { return "signed"; }

struct version {
    int major, minor;
    std::string tag;
    auto operator<=>(const version &) const = default;
};
struct case_free {
    std::string text;
    std::weak_ordering operator<=>(const case_free &o) const
    {
        auto lower = [](char c) { return std::tolower(c); };
        auto a = text | views::transform(lower), b = o.text | views::transform(lower);
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }
    bool operator==(const case_free &o) const { return (*this <=> o) == 0; }
};
static int sum(std::span<const int> s) { return std::accumulate(s.begin(), s.end(), 0); }
static const char *word(auto order) { return order < 0 ? "less" : order > 0 ? "greater" : order == 0 ? "equal" : "unordered"; }

int main()
{
    auto even_squares = views::iota(1, 30) | views::filter([](int x) { return x % 2 == 0; }) | views::transform([](int x) { return x * x; }) | views::take(6);
    for (int v : even_squares)
        std::cout << v << ' ';
    for (int v : even_squares | views::reverse | views::drop(2))
        std::cout << v << ' ';
    std::cout << '\n';
    std::string text = "alpha,beta,,gamma";
    for (auto part : text | views::split(','))
        std::cout << '<' << std::string_view(part.begin(), part.end()) << '>';
    std::cout << '\n';
    std::vector<version> all{{1, 2, "b"}, {1, 10, "a"}, {0, 9, "z"}, {1, 2, "a"}};
    std::ranges::sort(all);
    for (auto &[major, minor, tag] : all)
        std::cout << major << '.' << minor << tag << ' ';
    std::ranges::sort(all, std::ranges::greater{}, &version::minor);
    std::cout << "| " << all.front().minor << ' ' << std::ranges::max(all, {}, &version::tag).tag << ' ' << std::ranges::count_if(all, [](int m) { return m > 0; }, &version::major) << '\n';
    std::cout << word(version{1, 2, ""} <=> version{1, 3, ""}) << ' ' << word(2.0 <=> 1.0) << ' ' << word(0.0 / 0.0 <=> 1.0) << ' ' << word(case_free{"HeLLo"} <=> case_free{"hEllO"}) << ' ' << (case_free{"a"} < case_free{"B"}) << '\n';
    std::cout << twice(square{3}) << ' ' << shape<square> << shape<blob> << ' ' << kind(1u) << ' ' << kind(-1) << ' ' << kind(1.5) << '\n';
    int raw[] = {1, 2, 3, 4, 5, 6};
    std::span s(raw);
    std::cout << sum(s) << ' ' << sum(s.first(2)) << ' ' << sum(s.subspan(2, 3)) << ' ' << s.last<2>()[1] << ' ' << sum(std::vector{7, 8}) << '\n';
    std::map<std::string, int> ages{{"ann", 30}, {"bob", 17}, {"cid", 55}};
    for (auto &name : ages | views::filter([](auto &p) { return p.second >= 18; }) | views::keys)
        std::cout << name << ' ';
    auto [low, high] = std::ranges::minmax(ages | views::values);
    std::cout << low << ' ' << high << '\n';
    std::vector<std::vector<int>> nested{{1, 2}, {}, {3}};
    for (int v : nested | views::join)
        std::cout << v << ' ';
    auto found = std::ranges::find(raw, 4);
    std::cout << *found << ' ' << std::ranges::distance(std::begin(raw), found) << ' ' << std::ranges::is_sorted(raw) << ' ' << std::ranges::equal(raw | views::take_while([](int x) { return x < 3; }), std::vector{1, 2}) << '\n';
    std::cout << std::popcount(0xf0f0u) << ' ' << std::bit_ceil(100u) << ' ' << std::countl_zero(1u) << ' ' << std::rotl(0x80000001u, 4) << ' ' << std::bit_cast<unsigned>(1.0f) << ' ' << std::has_single_bit(64u) << ' ' << std::midpoint(1, 6) << ' ' << std::cmp_less(-1, 1u) << '\n';
    std::erase_if(all, [](const version &v) { return v.major == 0; });
    std::cout << all.size() << ' ' << text.starts_with("alp") << text.ends_with("x") << ' ' << ages.contains("bob") << '\n';
    return 0;
}
