// steam: levels=O0,O1,O2
// Sequence containers: vector, deque, list, forward_list, array, stack, queue, priority_queue; growth, splicing, invalidation-safe erasing.
#include <algorithm>
#include <array>
#include <deque>
#include <forward_list>
#include <iostream>
#include <list>
#include <numeric>
#include <queue>
#include <stack>
#include <string>
#include <vector>

template <class C> static void show(const char *name, const C &c)
{
    std::cout << name << ':';
    for (const auto &v : c)
        std::cout << ' ' << v;
    std::cout << '\n';
}

struct counted {
    static int copies, moves, destroyed;
    int value;
    counted(int v = 0) : value(v) {}
    counted(const counted &o) : value(o.value) { copies++; }
    counted(counted &&o) noexcept : value(o.value) { moves++, o.value = -1; }
    counted &operator=(const counted &) = default;
    counted &operator=(counted &&) = default;
    ~counted() { destroyed++; }
};
int counted::copies, counted::moves, counted::destroyed;

static void vectors()
{
    std::vector<int> v(5, 7);
    v.insert(v.begin() + 2, {1, 2, 3});
    v.push_back(99);
    v.erase(v.begin(), v.begin() + 2);
    v.insert(v.end(), 2, -1);
    show("vector", v);
    for (auto it = v.begin(); it != v.end();)
        it = *it == 7 ? v.erase(it) : it + 1;
    show("erased", v);
    std::vector<counted> grown;
    std::size_t growths = 0, last = 0;
    for (int i = 0; i < 1000; i++) {
        grown.emplace_back(i);
        if (grown.capacity() != last)
            growths++, last = grown.capacity();
    }
    std::cout << "growths " << growths << " copies " << counted::copies << " moves " << counted::moves << '\n';
    grown.resize(10);
    grown.shrink_to_fit();
    std::vector<counted> copy = grown;
    copy.insert(copy.begin(), counted(5));
    std::cout << copy.size() << ' ' << copy[1].value << ' ' << counted::copies << ' ' << counted::destroyed << '\n';
    std::vector<std::vector<int>> triangle(8);
    for (std::size_t i = 0; i < 8; i++) {
        triangle[i].assign(i + 1, 1);
        for (std::size_t j = 1; j < i; j++)
            triangle[i][j] = triangle[i - 1][j - 1] + triangle[i - 1][j];
    }
    show("pascal", triangle.back());
    std::vector<bool> sieve(200, true);
    for (std::size_t i = 2; i < 200; i++)
        for (std::size_t j = 2 * i; j < 200; j += i)
            sieve[j] = false;
    std::cout << "primes " << std::count(sieve.begin() + 2, sieve.end(), true) << '\n';
    sieve.flip();
    std::cout << sieve[3] << sieve[4] << ' ' << (v < std::vector<int>{1, 2, 4}) << (v == v) << '\n';
}
static void deques()
{
    std::deque<int> d;
    for (int i = 0; i < 300; i++)
        i % 3 ? d.push_back(i) : d.push_front(-i);
    for (int i = 0; i < 140; i++)
        i % 2 ? d.pop_front() : d.pop_back();
    d.insert(d.begin() + 10, 3, 1000);
    d.erase(d.begin() + 50, d.end() - 50);
    std::cout << "deque " << d.size() << ' ' << d.front() << ' ' << d.back() << ' ' << d[12] << ' ' << std::accumulate(d.begin(), d.end(), 0) << '\n';
    std::queue<std::string> q;
    std::stack<int, std::vector<int>> s;
    for (int i = 0; i < 5; i++)
        q.push("job" + std::to_string(i)), s.push(i * i);
    q.pop();
    std::cout << q.front() << ' ' << q.back() << ' ' << s.top() << ' ' << s.size() << '\n';
    std::priority_queue<int, std::vector<int>, std::greater<>> least;
    for (int i = 0; i < 20; i++)
        least.push(i * 7919 % 101);
    for (int i = 0; i < 6; i++, least.pop())
        std::cout << least.top() << ' ';
    std::cout << '\n';
}
static void lists()
{
    std::list<int> a{5, 1, 4, 1, 5, 9, 2, 6}, b{3, 3, 8};
    a.sort();
    b.merge(a);
    show("merged", b);
    b.unique();
    b.reverse();
    b.remove_if([](int x) { return x % 2 == 0; });
    show("odd", b);
    std::list<int> c{100, 200, 300};
    auto middle = std::next(c.begin());
    b.splice(std::next(b.begin()), c, middle);
    b.splice(b.end(), c);
    std::cout << "moved " << *middle << ' ' << c.empty() << '\n';
    show("spliced", b);
    std::forward_list<std::string> f{"c", "a", "b"};
    f.push_front("z");
    f.insert_after(f.begin(), {"m", "n"});
    f.sort();
    f.remove("m");
    show("forward", f);
    std::array<int, 6> fixed{6, 5, 4, 3, 2, 1}, other{};
    fixed.swap(other);
    std::iota(fixed.begin(), fixed.end(), 10);
    show("array", fixed);
    std::cout << other.at(1) << ' ' << std::get<2>(other) << ' ' << (fixed > other) << '\n';
    try {
        fixed.at(6) = 0;
    } catch (const std::out_of_range &e) {
        std::cout << "out of range\n";
    }
}

int main()
{
    vectors();
    deques();
    lists();
    return 0;
}
