// steam: std=c++17 levels=O0,O2
// std::regex: matches, captures, iterators, replacement formats, grammars, flags, errors; few levels because it compiles slowly.
#include <iostream>
#include <regex>
#include <string>
#include <vector>

static void groups(const std::string &text, const char *pattern)
{
    std::smatch m;
    if (!std::regex_search(text, m, std::regex(pattern))) {
        std::cout << pattern << ": none\n";
        return;
    }
    std::cout << pattern << ": at " << m.position() << " prefix '" << m.prefix() << "' suffix '" << m.suffix() << "'";
    for (std::size_t i = 0; i < m.size(); i++)
        std::cout << " [" << m[i] << (m[i].matched ? "]" : "?]");
    std::cout << '\n';
}

int main()
{
    for (const char *word : {"colour", "color", "colouur", "Color", ""})
        std::cout << std::regex_match(word, std::regex("colou?r")) << std::regex_match(word, std::regex("COLOU?R", std::regex::icase));
    std::cout << '\n';
    groups("On 2024-02-29 it rained", R"((\d{4})-(\d\d)-(\d\d))");
    groups("key = value # comment", R"(^\s*(\w+)\s*=\s*([^#]*?)\s*(#.*)?$)");
    groups("aaa", "(a*?)(a+)");
    groups("foobar", "foo(?=bar)(bar|baz)");
    groups("foobaz", "foo(?!bar)");
    groups("abcabc xyz", R"((\w+)\1)");
    groups("nothing here", "[0-9]+");
    groups("x=1, y=22", "(y)=([[:digit:]]+)");

    std::string text = "mail bob@example.org or alice.smith@mail.example.com, not foo@bar";
    std::regex address(R"(([\w.]+)@(\w+(?:\.\w+)+))");
    for (std::sregex_iterator it(text.begin(), text.end(), address), end; it != end; ++it)
        std::cout << it->str(1) << " at " << it->str(2) << "; ";
    std::cout << '\n';
    std::regex separator("[,;]\\s*");
    std::string list = "one, two;three,four";
    for (std::sregex_token_iterator it(list.begin(), list.end(), separator, -1), end; it != end; ++it)
        std::cout << '<' << *it << '>';
    std::regex word_parts("(\\w)(\\w+)");
    for (std::sregex_token_iterator it(list.begin(), list.end(), word_parts, {2, 1}), end; it != end; ++it)
        std::cout << *it << ' ';
    std::cout << '\n';
    std::cout << std::regex_replace(text, address, "<$2:$1>") << '\n';
    std::cout << std::regex_replace(std::string("a1b22c333"), std::regex("[0-9]+"), "#", std::regex_constants::format_first_only) << ' ' << std::regex_replace(std::string("a1b22"), std::regex("[0-9]+"), "($&)", std::regex_constants::format_no_copy) << '\n';
    std::cout << std::regex_search("line one\nline two", std::regex("^line two", std::regex::multiline)) << std::regex_match("a.b", std::regex("a\\.b", std::regex::basic)) << std::regex_match("aXb", std::regex("a.b", std::regex::extended)) << '\n';
    for (const char *bad : {"(", "[a", "a{2,1}", "*a", "\\"})
        try {
            std::regex r(bad);
            std::cout << bad << " accepted; ";
        } catch (const std::regex_error &e) {
            std::cout << bad << ' ' << (e.code() == std::regex_constants::error_paren ? "paren" : e.code() == std::regex_constants::error_brack ? "bracket" : e.code() == std::regex_constants::error_badbrace ? "brace" : e.code() == std::regex_constants::error_badrepeat ? "repeat" : "other") << "; ";
        }
    std::cout << '\n';
    std::regex number(R"([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)");
    int good = 0;
    for (const char *n : {"1", "-2.5", ".5e10", "1e", "--1", "3.", "e5", "+0.0E-7"})
        good = good * 2 + std::regex_match(n, number);
    std::cout << good << ' ' << number.mark_count() << '\n';
    return 0;
}
