// steam: error=none
// Containers that grow, shrink, splice and end: all accesses are inside what they own.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
    std::vector<int> v;
    for (int i = 0; i < 1000; i++) {
        v.insert(v.begin() + long(v.size() / 2), i);
        if (i % 5 == 0)
            v.erase(v.begin());
    }
    v.shrink_to_fit();
    std::sort(v.begin(), v.end());
    long total = std::count_if(v.begin(), v.end(), [](int x) { return x % 2; });
    std::deque<std::string> d;
    for (int i = 0; i < 300; i++) {
        d.push_back(std::string(static_cast<std::size_t>(i % 40), 'x'));
        if (i % 3 == 0)
            d.pop_front();
    }
    std::map<std::string, std::vector<int>> m;
    std::unordered_map<int, std::string> u;
    for (int i = 0; i < 500; i++) {
        m[std::to_string(i % 37)].push_back(i);
        u[i * 7] = std::to_string(i);
    }
    for (auto it = m.begin(); it != m.end();)
        it = it->second.size() % 2 ? m.erase(it) : std::next(it);
    std::list<int> a{1, 2, 3}, b{4, 5};
    a.splice(a.begin(), b);
    a.remove(2);
    std::multiset<char> letters;
    for (char c : d.back())
        letters.insert(c);
    std::vector<bool> bits(33, true);
    bits.push_back(false);
    std::printf("%ld %zu %zu %zu %zu %zu %zu\n", total, d.size(), m.size(), u.size(), a.size(), letters.size(), bits.size());
    return 0;
}
