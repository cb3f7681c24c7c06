// steam: error=none
/* The library's own tricks with words, vectors and padding. */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Animal {
    virtual ~Animal() = default;
    virtual std::string name() const = 0;
};
struct Cat : Animal {
    char letter = 'c';
    std::string name() const override { return std::string(1, letter) + "at"; }
};

int main() {
    std::map<std::string, double> prices;
    std::unordered_map<int, std::string> names;
    for (int i = 0; i < 50; i++) {
        prices["item" + std::to_string(i)] = i / 4.0;
        names[i * 17] = std::string(i % 20, 'x');
    }
    double sum = 0;
    for (auto &[name, price] : prices)
        sum += price;
    std::cout << sum << ' ' << names[17 * 19].size() << std::endl;
    std::ostringstream out;
    out << 3.25 << ',' << 0x1f << ',' << "text" << ',' << true;
    std::cout << out.str() << '\n';
    std::istringstream in("12 3.5 word");
    int number; double fraction; std::string word;
    in >> number >> fraction >> word;
    std::cout << number + fraction << word << '\n';
    try {
        throw std::runtime_error("thrown");
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
    }
    std::regex pattern("([a-z]+)([0-9]+)");
    std::smatch match;
    std::string text = "abc123";
    if (std::regex_match(text, match, pattern))
        std::cout << match[1] << ' ' << match[2] << '\n';
    std::vector<int> values(1000);
    for (int i = 0; i < 1000; i++)
        values[i] = i * 7919 % 1000;
    std::sort(values.begin(), values.end());
    std::thread other([&] { std::reverse(values.begin(), values.end()); });
    other.join();
    std::cout << values[0] << values[999] << '\n';
    Cat cat;
    const Animal &animal = cat;
    std::cout << animal.name() << '\n';
    char buffer[64];
    int length = std::snprintf(buffer, sizeof buffer, "%08.3f|%-6s|%x|%lld", 3.14159, "ab", 255, 1ll << 40);
    std::cout << length << buffer << std::strchr(buffer, '|') << '\n';
    return 0;
}
