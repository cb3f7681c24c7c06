// iostream manipulators: bases, widths, fills, precision, fixed, scientific, hexfloat, boolalpha, showpos, user manipulators, states.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

struct point {
    int x, y;
};
static std::ostream &operator<<(std::ostream &out, const point &p) { return out << '(' << p.x << ',' << p.y << ')'; }
static std::istream &operator>>(std::istream &in, point &p)
{
    char open, comma, close;
    if (in >> open >> p.x >> comma >> p.y >> close && !(open == '(' && comma == ',' && close == ')'))
        in.setstate(std::ios::failbit);
    return in;
}
static std::ostream &rule(std::ostream &out) { return out << "----"; }
struct repeat {
    char c;
    int n;
};
static std::ostream &operator<<(std::ostream &out, repeat r)
{
    while (r.n--)
        out << r.c;
    return out;
}

static void integers()
{
    using namespace std;
    for (int value : {0, 42, -42, 1000000}) {
        cout << dec << value << ' ' << oct << value << ' ' << hex << value << ' ' << showbase << uppercase << value << ' ' << oct << value << nouppercase << noshowbase << dec << '\n';
        cout << '[' << setw(10) << value << "][" << left << setw(10) << value << "][" << internal << setfill('*') << setw(10) << value << "][" << right << setw(3) << value << ']' << setfill(' ') << showpos << value << noshowpos << '\n';
    }
    cout << numeric_limits<long long>::min() << ' ' << numeric_limits<unsigned long long>::max() << ' ' << short(-1) << ' ' << hex << short(-1) << ' ' << 255ull << dec << '\n';
    cout << true << boolalpha << ' ' << true << ' ' << false << noboolalpha << ' ' << 'c' << ' ' << static_cast<signed char>(65) << ' ' << static_cast<void *>(nullptr) << ' ' << setbase(16) << 4096 << setbase(10) << '\n';
}
static void floats()
{
    using namespace std;
    for (double value : {0.0, 1.0, 3.14159265358979, -1234567.891, 1e-7, 1e100}) {
        cout << value << ' ' << setprecision(3) << value << ' ' << fixed << value << ' ' << scientific << value << ' ' << hexfloat << value << defaultfloat << ' ' << setprecision(12) << value << ' ' << showpoint << setprecision(6) << value << noshowpoint << '\n';
    }
    cout << numeric_limits<double>::infinity() << ' ' << -numeric_limits<double>::infinity() << ' ' << fabs(numeric_limits<double>::quiet_NaN()) << '\n';
    cout << 1.0f / 3 << ' ' << setprecision(20) << 1.0L / 3 << ' ' << 0.1f << setprecision(6) << '\n';
    cout << setw(12) << setfill('.') << 2.5 << left << setw(12) << -2.5 << right << internal << setw(12) << -2.5 << right << setfill(' ') << '\n';
}
static void input()
{
    using namespace std;
    istringstream in("12 0x1f 077 3.5 word (4,-5) true rest of line\nnext");
    int a, b, c;
    double d;
    string word, rest;
    point p{};
    bool flag;
    in >> a >> hex >> b >> oct >> c >> dec >> d >> word >> p >> boolalpha >> flag;
    getline(in >> ws, rest);
    cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << word << ' ' << p << ' ' << flag << " [" << rest << "]\n";
    string last;
    in >> last;
    cout << last << " eof " << in.eof() << " fail " << in.fail() << '\n';
    istringstream bad("abc 99999999999 (1;2)");
    int n = 7;
    bad >> n;
    cout << n << " fail " << bad.fail() << " good " << bad.good();
    bad.clear();
    bad >> word >> n;
    cout << ' ' << word << ' ' << n << " fail " << bad.fail();
    bad.clear();
    bad >> p;
    cout << " point fail " << bad.fail() << '\n';
    istringstream chars("a b\tc\n d");
    char ch;
    while (chars.get(ch))
        cout << int(ch) << ' ';
    chars.clear();
    chars.seekg(2);
    chars >> noskipws >> ch;
    cout << ch << ' ' << chars.peek() << ' ' << chars.tellg() << '\n';
    istringstream limited("one,two,,three");
    for (string field; getline(limited, field, ',');)
        cout << '<' << field << '>';
    cout << '\n';
    try {
        istringstream strict("x");
        strict.exceptions(ios::failbit);
        strict >> n;
    } catch (const ios::failure &) {
        cout << "failure thrown\n";
    }
}

int main()
{
    integers();
    floats();
    input();
    std::cout << rule << repeat{'=', 10} << point{3, -4} << std::quoted("say \"hi\"") << std::endl;
    std::ostringstream out;
    out << std::setw(8) << std::left << "name" << std::right << std::setw(8) << 3.5 << '|';
    auto saved = std::cout.flags();
    std::cout << std::hex << std::showbase << 255 << ' ';
    std::cout.flags(saved);
    std::cout << 255 << ' ' << out.str() << ' ' << out.str().size() << '\n';
    std::clog << "to the log\n";
    std::cerr << "to error " << 42 << '\n';
    std::cout.put('x').write("yz12", 2) << std::flush << '\n';
    return 0;
}
