// bitset and valarray: sieves, masks, text conversion; slices, gslices, masks, indirect arrays, matrix products; numeric_limits; complex.
#include <bitset>
#include <complex>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <valarray>

/* Expressions of arrays are their own types: this names the array they stand for. */
static std::string show(const std::valarray<double> &v)
{
    std::ostringstream out;
    for (double x : v)
        out << x << ' ';
    return out.str();
}
static std::string show_ints(const std::valarray<int> &v)
{
    std::ostringstream out;
    for (int x : v)
        out << x << ' ';
    return out.str();
}

static void bits()
{
    std::bitset<100> a, b(0xdeadbeef);
    for (std::size_t i = 0; i < 100; i += 7)
        a.set(i);
    std::cout << a << '\n' << (a ^ b).count() << ' ' << (a & ~b).count() << ' ' << (a << 65).count() << ' ' << (b >> 4).to_ulong() << '\n';
    a.flip().reset(3);
    std::cout << a.any() << a.all() << a.none() << a.test(7) << a[8] << ' ' << a.count() << '\n';
    std::bitset<12> parsed(std::string("101100111000"));
    std::cout << parsed.to_ulong() << ' ' << parsed.to_string('.', '#') << ' ' << std::hash<std::bitset<12>>()(parsed) % 1 << '\n';
    std::bitset<2000> composite;
    int primes = 0, last = 0;
    for (std::size_t i = 2; i < 2000; i++) {
        if (composite[i])
            continue;
        primes++, last = int(i);
        for (std::size_t j = i * i; j < 2000; j += i)
            composite[j] = true;
    }
    std::cout << primes << ' ' << last << '\n';
    try {
        parsed.set(12);
    } catch (const std::out_of_range &) {
        std::cout << "no such bit\n";
    }
    try {
        std::bitset<8> bad(std::string("0102"));
    } catch (const std::invalid_argument &) {
        std::cout << "not binary\n";
    }
}
static void arrays()
{
    std::valarray<double> v{1, 4, 9, 16, 25, 36}, w(2.0, 6);
    std::cout << show(std::sqrt(v)) << "| " << show(v * w - 1.0) << "| " << v.sum() << ' ' << v.min() << ' ' << v.max() << '\n';
    std::cout << show(v.shift(2)) << "| " << show(v.cshift(-1)) << "| " << show(v.apply([](double x) { return x > 10 ? 1.0 : 0.0; })) << '\n';
    std::valarray<int> m(12);
    for (std::size_t i = 0; i < 12; i++)
        m[i] = int(i);
    std::cout << show_ints(m[std::slice(1, 3, 4)]) << "| ";
    m[std::slice(0, 4, 1)] = 100;
    m[std::valarray<bool>(m > 8 && m < 50)] = -1;
    std::size_t lengths[] = {2, 2}, strides[] = {4, 2};
    std::cout << show_ints(m) << "| " << show_ints(m[std::gslice(0, std::valarray<std::size_t>(lengths, 2), std::valarray<std::size_t>(strides, 2))]) << '\n';
    std::size_t picks[] = {11, 0, 5};
    m[std::valarray<std::size_t>(picks, 3)] += std::valarray<int>(7, 3);
    std::cout << show_ints(m) << '\n';
    std::valarray<double> a(9), b(9), c(9);
    for (std::size_t i = 0; i < 9; i++)
        a[i] = double(i + 1), b[i] = double(9 - i);
    for (std::size_t i = 0; i < 3; i++)
        for (std::size_t j = 0; j < 3; j++)
            c[i * 3 + j] = (std::valarray<double>(a[std::slice(i * 3, 3, 1)]) * std::valarray<double>(b[std::slice(j, 3, 3)])).sum();
    std::cout << show(c) << '\n';
    m *= 2;
    m %= 13;
    std::cout << show_ints(m) << show_ints(std::abs(std::valarray<int>{-1, 2, -3})) << '\n';
}
template <class T> static void limits(const char *name)
{
    using l = std::numeric_limits<T>;
    std::cout << name << ' ' << +l::min() << ' ' << +l::max() << ' ' << +l::lowest() << ' ' << l::digits << ' ' << l::is_signed << ' ' << +l::epsilon() << '\n';
}

int main()
{
    bits();
    arrays();
    limits<char>("char");
    limits<unsigned short>("unsigned short");
    limits<long>("long");
    limits<long long>("long long");
    limits<float>("float");
    limits<double>("double");
    limits<long double>("long double");
    std::complex<double> z(3, -4), i(0, 1);
    std::cout << std::fixed << std::setprecision(6) << z * z << ' ' << z / i << ' ' << std::abs(z) << ' ' << std::norm(z) << ' ' << std::conj(z) << ' ' << std::polar(2.0, 1.0) << ' ' << std::sqrt(std::complex<double>(-4)) << ' ' << std::exp(i * 3.0) << ' ' << std::pow(z, 3) << '\n';
    return 0;
}
