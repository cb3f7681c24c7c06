// steam: std=c++17 levels=O0,O2,Os
// Ordered and unordered maps and sets: bounds, multimaps, node handles, custom comparators and hashes, an inverted index, graphs.
#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct no_case {
    bool operator()(const std::string &a, const std::string &b) const
    {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return std::tolower(x) < std::tolower(y); });
    }
};
struct cell {
    int x, y;
    bool operator==(const cell &o) const { return x == o.x && y == o.y; }
};
struct cell_hash {
    std::size_t operator()(const cell &c) const { return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u; }
};

static void ordered()
{
    std::map<std::string, int> ages{{"carol", 41}, {"alice", 30}, {"bob", 25}};
    ages["dave"] += 7;
    auto [it, fresh] = ages.insert({"bob", 99});
    std::cout << it->second << ' ' << fresh << ' ' << ages.insert_or_assign("bob", 26).second << ' ' << ages.try_emplace("eve", 5).second << '\n';
    for (const auto &[name, age] : ages)
        std::cout << name << '=' << age << ' ';
    std::cout << "| " << ages.lower_bound("b")->first << ' ' << ages.upper_bound("bob")->first << ' ' << ages.count("zed") << '\n';
    auto node = ages.extract("carol");
    node.key() = "karl";
    ages.insert(std::move(node));
    ages.erase(ages.begin());
    std::cout << ages.begin()->first << ' ' << ages.rbegin()->first << ' ' << ages.at("karl") << '\n';
    try {
        ages.at("nobody");
    } catch (const std::out_of_range &) {
        std::cout << "no such key\n";
    }
    std::set<std::string, no_case> words{"Hello", "world", "HELLO", "World", "again"};
    for (auto &w : words)
        std::cout << w << ' ';
    std::cout << words.size() << '\n';
    std::multimap<int, char> lengths;
    for (char c : std::string("mississippi"))
        lengths.emplace(c == 's' ? 1 : c == 'i' ? 2 : 3, c);
    auto [low, high] = lengths.equal_range(2);
    std::cout << std::distance(low, high) << ' ' << lengths.count(1) << ' ';
    for (auto &p : lengths)
        std::cout << p.second;
    std::cout << '\n';
    std::multiset<int> bag{5, 3, 5, 1, 5};
    bag.erase(bag.find(5));
    std::cout << bag.count(5) << ' ' << bag.size() << '\n';
    std::set<int> a{1, 2, 3, 4, 5, 6}, b{4, 5, 6, 7}, both, either;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
    a.merge(b);
    std::cout << both.size() << ' ' << either.size() << ' ' << a.size() << ' ' << b.size() << '\n';
}

static void unordered()
{
    std::unordered_map<std::string, std::vector<int>> index;
    std::istringstream text("the cat and the dog and the bird saw the cat run");
    int position = 0;
    for (std::string w; text >> w;)
        index[w].push_back(position++);
    std::map<std::string, std::vector<int>> sorted(index.begin(), index.end());
    for (auto &[word, places] : sorted) {
        std::cout << word << ':';
        for (int p : places)
            std::cout << p << ',';
    }
    std::cout << '\n';
    std::unordered_set<cell, cell_hash> visited;
    cell at{0, 0};
    int repeats = 0;
    for (int i = 0; i < 500; i++) {
        repeats += !visited.insert(at).second;
        int turn = (i * i + 3 * i) % 4;
        turn == 0 ? at.x++ : turn == 1 ? at.y++ : turn == 2 ? at.x-- : at.y--;
    }
    std::cout << visited.size() << " cells, " << repeats << " repeats\n";
    std::unordered_map<int, int> counts;
    counts.reserve(100);
    for (int i = 0; i < 10000; i++)
        counts[i * i % 257]++;
    int most = 0;
    for (auto [k, n] : counts)
        most = std::max(most, n);
    std::cout << counts.size() << ' ' << most << ' ' << (counts.load_factor() <= counts.max_load_factor()) << ' ' << counts.erase(4) << counts.erase(4) << '\n';
    std::unordered_multimap<std::string, int> multi{{"a", 1}, {"a", 2}, {"b", 3}};
    std::cout << multi.count("a") << ' ' << multi.bucket_count() % 2 << '\n';
}

static void dijkstra()
{
    std::map<char, std::map<char, int>> graph;
    for (auto [from, to, cost] : std::vector<std::tuple<char, char, int>>{{'A', 'B', 7}, {'A', 'C', 9}, {'A', 'F', 14}, {'B', 'C', 10}, {'B', 'D', 15}, {'C', 'D', 11}, {'C', 'F', 2}, {'D', 'E', 6}, {'E', 'F', 9}})
        graph[from][to] = graph[to][from] = cost;
    std::map<char, int> distance{{'A', 0}};
    std::map<char, char> before;
    using item = std::pair<int, char>;
    std::priority_queue<item, std::vector<item>, std::greater<item>> open;
    open.push({0, 'A'});
    while (!open.empty()) {
        auto [d, node] = open.top();
        open.pop();
        if (d > distance[node])
            continue;
        for (auto [next, cost] : graph[node])
            if (!distance.count(next) || d + cost < distance[next]) {
                distance[next] = d + cost;
                before[next] = node;
                open.push({d + cost, next});
            }
    }
    std::string path;
    for (char c = 'E'; c; c = before.count(c) ? before[c] : 0)
        path.insert(path.begin(), c);
    for (auto [node, d] : distance)
        std::cout << node << d << ' ';
    std::cout << path << '\n';
}

int main()
{
    ordered();
    unordered();
    dijkstra();
    return 0;
}
