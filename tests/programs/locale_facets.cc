// Locale facets: own numpunct, ctype, codecvt-free; moneypunct, time_put, collate; imbued streams.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <locale>
#include <sstream>
#include <string>

struct german_numbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
    std::string do_truename() const override { return "wahr"; }
    std::string do_falsename() const override { return "falsch"; }
};
struct indian_numbers : std::numpunct<char> {
    char do_thousands_sep() const override { return '\''; }
    std::string do_grouping() const override { return "\3\2"; }
};
struct euro : std::moneypunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return ' '; }
    std::string do_grouping() const override { return "\3"; }
    std::string do_curr_symbol() const override { return "EUR"; }
    std::string do_negative_sign() const override { return "()"; }
    int do_frac_digits() const override { return 2; }
    pattern do_pos_format() const override { return {{value, space, symbol, none}}; }
    pattern do_neg_format() const override { return {{sign, value, space, symbol}}; }
};
struct comma_is_space : std::ctype<char> {
    static const mask *table()
    {
        static mask rc[table_size];
        std::copy(classic_table(), classic_table() + table_size, rc);
        rc[','] = space;
        rc[' '] = alpha;
        return rc;
    }
    comma_is_space() : ctype(table()) {}
};

int main()
{
    std::locale classic = std::locale::classic(), german(classic, new german_numbers), indian(classic, new indian_numbers);
    std::ostringstream out;
    for (const auto &l : {classic, german, indian}) {
        out.imbue(l);
        out << 1234567 << ' ' << -1234567.891 << ' ' << std::fixed << std::setprecision(2) << 9876543.21 << std::defaultfloat << std::setprecision(6) << ' ' << std::boolalpha << true << std::noboolalpha << ' ' << std::hex << 1048575 << std::dec << '\n';
    }
    std::cout << out.str();
    std::istringstream in("1.234.567 3,5 falsch 12.34");
    in.imbue(german);
    int n;
    double d;
    bool b;
    in >> n >> d >> std::boolalpha >> b;
    std::cout << n << ' ' << d << ' ' << b;
    in >> n;
    std::cout << " bad grouping " << in.fail() << '\n';

    std::locale money(classic, new euro);
    std::ostringstream bill;
    bill.imbue(money);
    bill << std::showbase << std::put_money(123456789) << " | " << std::put_money(-4250) << " | " << std::noshowbase << std::put_money("7");
    std::cout << bill.str() << '\n';
    std::istringstream paid("1 234,50");
    paid.imbue(money);
    long double amount = 0;
    paid >> std::get_money(amount);
    std::cout << amount << '\n';

    std::istringstream fields("one two,three,four five");
    fields.imbue(std::locale(classic, new comma_is_space));
    for (std::string f; fields >> f;)
        std::cout << '[' << f << ']';
    std::cout << '\n';
    std::tm t{};
    t.tm_year = 124, t.tm_mon = 1, t.tm_mday = 29, t.tm_hour = 16, t.tm_min = 5, t.tm_wday = 4, t.tm_yday = 59;
    std::cout << std::put_time(&t, "%A %d %B %Y, %H:%M (%j)") << '\n';
    std::istringstream date("2001-09-09 01:46:40");
    std::tm read{};
    date >> std::get_time(&read, "%Y-%m-%d %H:%M:%S");
    std::cout << read.tm_year << ' ' << read.tm_mon << ' ' << read.tm_mday << ' ' << read.tm_sec << ' ' << date.fail() << '\n';

    const auto &kind = std::use_facet<std::ctype<char>>(classic);
    std::string text = "Mixed Case 123!";
    kind.toupper(&text[0], &text[0] + text.size());
    std::cout << text << ' ' << kind.is(std::ctype_base::digit, '7') << ' ' << kind.scan_is(std::ctype_base::punct, text.data(), text.data() + text.size()) - text.data() << '\n';
    const auto &collation = std::use_facet<std::collate<char>>(classic);
    std::string x = "apple", y = "banana";
    std::cout << collation.compare(x.data(), x.data() + 5, y.data(), y.data() + 6) << ' ' << classic(x, y) << ' ' << classic.name() << ' ' << std::has_facet<std::numpunct<char>>(german) << ' ' << (german == classic) << '\n';
    std::cout << std::isalpha('x', classic) << std::toupper('q', classic) << std::use_facet<std::numpunct<char>>(german).thousands_sep() << '\n';
    try {
        std::locale nowhere("xx_nowhere");
        std::cout << "found\n";
    } catch (const std::runtime_error &) {
        std::cout << "no such locale\n";
    }
    std::locale old = std::locale::global(german);
    std::ostringstream by_default;
    by_default << 5000000;
    std::cout << by_default.str() << '\n';
    std::locale::global(old);
    return 0;
}
