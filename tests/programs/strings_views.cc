// steam: std=c++17
// std::string and string_view: small and large strings, searching, editing, conversions, number parsing, splitting, u16/u32/wide.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

static std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> out;
    for (;;) {
        auto at = text.find(separator);
        out.push_back(text.substr(0, at));
        if (at == std::string_view::npos)
            return out;
        text.remove_prefix(at + 1);
    }
}
static std::string_view trim(std::string_view text)
{
    auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}
static std::string replace_all(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}
static std::string wrap(const std::string &text, std::size_t width)
{
    std::string out, line;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() + word.size() + 1 > width) {
            out += line + '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return out + line;
}
static std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); j++)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); i++) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); j++) {
            std::size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row.back();
}

int main()
{
    std::string s = "short", empty, large(100, '*');
    for (int i = 0; i < 20; i++)
        s += std::to_string(i) + (i % 3 ? "-" : "+");
    std::cout << s << ' ' << s.size() << '\n';
    s.insert(5, " [inserted] ").erase(0, 2).append(3, '!').push_back('?');
    std::cout << s << '\n';
    std::cout << s.find("in") << ' ' << s.rfind('-') << ' ' << s.find_first_of("0123456789") << ' ' << s.find_last_not_of("!?") << ' ' << (s.find("absent") == std::string::npos) << ' ' << s.find("in", 8) << '\n';
    std::cout << s.substr(3, 10) << '|' << s.compare(0, 3, "ort") << '|' << (std::string("abc") < "abd") << ("x" + std::string("y") == "xy") << '\n';
    s.resize(10);
    s.replace(2, 3, "REPLACED");
    s.swap(large);
    std::cout << s.size() << ' ' << large << ' ' << large.front() << large.back() << ' ' << empty.empty() << '\n';
    std::string moved = std::move(large);
    std::cout << moved.size() << ' ' << large.size() << '\n';
    std::string with_nul("a\0b", 3);
    std::cout << with_nul.size() << ' ' << with_nul.c_str() << ' ' << (with_nul.find('\0')) << '\n';

    for (auto part : split("alpha,beta,,gamma", ','))
        std::cout << '<' << part << '>';
    std::cout << '[' << trim("  \t padded \n") << "][" << trim("   ") << "]\n";
    std::cout << replace_all("aaa b aaa", "aa", "xyz") << '\n' << wrap("the quick brown fox jumps over the lazy dog again and again", 16) << '\n';
    std::cout << distance("kitten", "sitting") << ' ' << distance("", "abc") << ' ' << distance("intention", "execution") << '\n';
    std::string_view view = moved;
    view.remove_suffix(2);
    std::cout << view << ' ' << (view == "orREPLAC") << ' ' << view.compare("zz") / 100 << ' ' << std::hash<std::string_view>()(view) % 2 * 0 << '\n';

    std::cout << std::stoi("42") << ' ' << std::stol("-7f", nullptr, 16) << ' ' << std::stoull("18446744073709551615") << ' ' << std::stod("2.5e3") << ' ' << std::stof("0.1") << '\n';
    for (const char *bad : {"x", "999999999999"})
        try {
            std::stoi(bad);
        } catch (const std::invalid_argument &) {
            std::cout << "invalid ";
        } catch (const std::out_of_range &) {
            std::cout << "range ";
        }
    std::size_t used;
    std::cout << std::stoi("12abc", &used) << ' ' << used << '\n';
    std::cout << std::to_string(3.14159) << ' ' << std::to_string(-5ll) << ' ' << std::to_string(4000000000u) << '\n';

    char buffer[64];
    for (double d : {0.1, 1e21, 1.0 / 3, 5e-324, 123456789.0}) {
        auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, d);
        std::cout << std::string_view(buffer, static_cast<std::size_t>(end - buffer)) << ' ';
    }
    for (int base : {2, 8, 16, 36}) {
        auto r = std::to_chars(buffer, buffer + sizeof buffer, -123456789, base);
        std::cout << std::string_view(buffer, static_cast<std::size_t>(r.ptr - buffer)) << ' ';
    }
    int parsed = 0;
    std::string_view digits = "777rest";
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
    double real = 0;
    std::from_chars("2.5e-3", "2.5e-3" + 6, real);
    std::cout << parsed << ' ' << result.ptr << ' ' << real << '\n';
    std::u16string u16 = u"h\u00e9llo";
    std::u32string u32 = U"w\U0001F600";
    std::wstring wide = L"wide" + std::to_wstring(7);
    std::cout << u16.size() << ' ' << u32.size() << ' ' << wide.size() << ' ' << static_cast<unsigned>(u32[1]) << '\n';
    std::cout << R"(raw "string" \n)" << ' ' << std::string(3, 'z') + std::string("tail", 2) << '\n';
    std::sort(moved.begin(), moved.end());
    std::cout << moved << ' ' << std::string(moved.rbegin(), moved.rend()) << '\n';
    return 0;
}
