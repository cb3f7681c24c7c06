// steam: std=c++17 levels=O0,O2,O3
// The algorithm and numeric headers: sorting, partitions, heaps, permutations, searches, set operations, scans, removal, rotation.
#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

using numbers = std::vector<int>;
static std::ostream &operator<<(std::ostream &out, const numbers &v)
{
    for (int i : v)
        out << i << ' ';
    return out;
}
static numbers sample(int n)
{
    numbers v(static_cast<std::size_t>(n));
    unsigned seed = 5;
    std::generate(v.begin(), v.end(), [&] { return static_cast<int>((seed = seed * 1103515245u + 12345u) >> 16) % 100; });
    return v;
}

static void sorting()
{
    numbers v = sample(20), w = v;
    std::sort(v.begin(), v.end());
    std::cout << v << '\n';
    std::stable_sort(w.begin(), w.end(), [](int a, int b) { return a % 10 < b % 10; });
    std::cout << w << '\n';
    std::partial_sort(w.begin(), w.begin() + 5, w.end(), std::greater<>());
    std::cout << numbers(w.begin(), w.begin() + 5) << '\n';
    std::nth_element(w.begin(), w.begin() + 10, w.end());
    std::cout << w[10] << ' ' << std::is_sorted(v.begin(), v.end()) << ' ' << (std::is_sorted_until(w.begin(), w.end()) != w.end()) << '\n';
    auto middle = std::stable_partition(w.begin(), w.end(), [](int x) { return x > 50; });
    std::cout << std::distance(w.begin(), middle) << ' ' << std::is_partitioned(w.begin(), w.end(), [](int x) { return x > 50; }) << '\n';
    std::make_heap(w.begin(), w.end());
    std::pop_heap(w.begin(), w.end());
    int top = w.back();
    w.pop_back();
    w.push_back(1000);
    std::push_heap(w.begin(), w.end());
    std::cout << top << ' ' << w.front() << ' ' << std::is_heap(w.begin(), w.end()) << '\n';
    std::sort_heap(w.begin(), w.end());
    numbers merged;
    std::merge(v.begin(), v.end(), w.begin(), w.end(), std::back_inserter(merged));
    std::inplace_merge(merged.begin(), merged.begin() + 20, merged.end());
    std::cout << merged.size() << ' ' << std::is_sorted(merged.begin(), merged.end()) << '\n';
    numbers big = sample(5000);
    std::sort(big.begin(), big.end(), [](int a, int b) { return (a * 37) % 101 < (b * 37) % 101; });
    std::cout << std::accumulate(big.begin(), big.begin() + 100, 0) << '\n';
}
static void searching()
{
    numbers v{1, 3, 3, 3, 5, 7, 9, 11};
    auto [low, high] = std::equal_range(v.begin(), v.end(), 3);
    std::cout << low - v.begin() << ' ' << high - v.begin() << ' ' << std::binary_search(v.begin(), v.end(), 7) << std::binary_search(v.begin(), v.end(), 8) << '\n';
    numbers part{3, 5};
    std::cout << std::search(v.begin(), v.end(), part.begin(), part.end()) - v.begin() << ' ' << std::find_end(v.begin(), v.end(), v.begin() + 1, v.begin() + 2) - v.begin() << ' ' << std::adjacent_find(v.begin(), v.end()) - v.begin() << ' '
              << std::search_n(v.begin(), v.end(), 3, 3) - v.begin() << ' ' << std::find_first_of(v.begin(), v.end(), part.begin() + 1, part.end()) - v.begin() << '\n';
    std::string text = "the quick brown fox jumps over the lazy dog", pattern = "lazy";
    std::boyer_moore_searcher searcher(pattern.begin(), pattern.end());
    std::cout << std::search(text.begin(), text.end(), searcher) - text.begin() << ' ' << std::count(text.begin(), text.end(), 'o') << '\n';
    auto [least, most] = std::minmax_element(v.begin(), v.end());
    std::cout << *least << ' ' << *most << ' ' << std::clamp(15, 0, 10) << ' ' << std::mismatch(v.begin(), v.end(), part.begin(), part.end()).first - v.begin() << '\n';
    std::cout << std::all_of(v.begin(), v.end(), [](int x) { return x % 2; }) << std::any_of(v.begin(), v.end(), [](int x) { return x > 10; }) << std::none_of(v.begin(), v.end(), [](int x) { return x < 0; }) << std::is_permutation(v.begin(), v.end(), v.rbegin()) << '\n';
}
static void changing()
{
    numbers v(10);
    std::iota(v.begin(), v.end(), 1);
    std::rotate(v.begin(), v.begin() + 3, v.end());
    std::cout << v << "| ";
    std::reverse(v.begin() + 2, v.end() - 2);
    std::cout << v << "| ";
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 3 == 0; }), v.end());
    std::cout << v << '\n';
    std::replace(v.begin(), v.end(), 5, 50);
    std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * x; });
    numbers u{1, 1, 2, 2, 2, 3, 1, 1};
    u.erase(std::unique(u.begin(), u.end()), u.end());
    std::swap_ranges(u.begin(), u.begin() + 2, v.begin());
    std::cout << v << "| " << u << '\n';
    std::string letters = "abcd";
    int count = 0;
    do
        if (count++ % 6 == 0)
            std::cout << letters << ' ';
    while (std::next_permutation(letters.begin(), letters.end()));
    std::prev_permutation(letters.begin(), letters.end());
    std::cout << count << ' ' << letters << '\n';
    numbers a{1, 2, 4, 5, 8}, b{2, 3, 5, 8, 8}, out;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    std::cout << out << std::includes(a.begin(), a.end(), out.begin(), out.begin() + 1) << ' ' << std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()) << '\n';
    std::copy_backward(a.begin(), a.begin() + 3, a.end());
    std::fill_n(b.begin(), 2, 7);
    std::cout << a << b << '\n';
}
static void numeric()
{
    numbers v{1, 2, 3, 4, 5}, out(5);
    std::partial_sum(v.begin(), v.end(), out.begin());
    std::cout << out;
    std::adjacent_difference(out.begin(), out.end(), out.begin());
    std::cout << out;
    std::exclusive_scan(v.begin(), v.end(), out.begin(), 100);
    std::cout << out;
    std::inclusive_scan(v.begin(), v.end(), out.begin(), std::multiplies<>());
    std::cout << out << '\n';
    std::cout << std::accumulate(v.begin(), v.end(), 1, std::multiplies<>()) << ' ' << std::inner_product(v.begin(), v.end(), v.rbegin(), 0) << ' ' << std::reduce(v.begin(), v.end()) << ' ' << std::transform_reduce(v.begin(), v.end(), 0, std::plus<>(), [](int x) { return x * x; }) << ' ' << std::gcd(84, 36) << ' ' << std::lcm(4, 6) << '\n';
}

int main()
{
    sorting();
    searching();
    changing();
    numeric();
    return 0;
}
