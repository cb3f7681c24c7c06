// Operator overloading and iterators: rational numbers, matrices with proxies, literals, a ring buffer with random-access iterators, conversions.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class rational {
    long n, d;
    static long gcd(long a, long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }

  public:
    rational(long a = 0, long b = 1) : n(a), d(b)
    {
        if (d == 0)
            throw std::domain_error("zero denominator");
        if (d < 0)
            n = -n, d = -d;
        long g = gcd(n, d);
        n /= g, d /= g;
    }
    rational &operator+=(const rational &o) { return *this = rational(n * o.d + o.n * d, d * o.d); }
    rational &operator-=(const rational &o) { return *this += -o; }
    rational &operator*=(const rational &o) { return *this = rational(n * o.n, d * o.d); }
    rational &operator/=(const rational &o) { return *this = rational(n * o.d, d * o.n); }
    rational operator-() const { return rational(-n, d); }
    rational &operator++() { return *this += 1; }
    rational operator++(int)
    {
        rational old = *this;
        ++*this;
        return old;
    }
    explicit operator bool() const { return n != 0; }
    explicit operator double() const { return double(n) / double(d); }
    friend rational operator+(rational a, const rational &b) { return a += b; }
    friend rational operator-(rational a, const rational &b) { return a -= b; }
    friend rational operator*(rational a, const rational &b) { return a *= b; }
    friend rational operator/(rational a, const rational &b) { return a /= b; }
    friend bool operator==(const rational &a, const rational &b) { return a.n == b.n && a.d == b.d; }
    friend bool operator<(const rational &a, const rational &b) { return a.n * b.d < b.n * a.d; }
    friend std::ostream &operator<<(std::ostream &out, const rational &r)
    {
        out << r.n;
        return r.d == 1 ? out : out << '/' << r.d;
    }
};
static rational operator""_r(unsigned long long n) { return rational(long(n)); }

class matrix {
    std::size_t rows, columns;
    std::vector<rational> cells;

  public:
    matrix(std::initializer_list<std::initializer_list<rational>> list) : rows(list.size()), columns(list.begin()->size())
    {
        for (auto &row : list)
            cells.insert(cells.end(), row);
    }
    matrix(std::size_t r, std::size_t c) : rows(r), columns(c), cells(r * c) {}
    rational *operator[](std::size_t r) { return &cells[r * columns]; }
    const rational *operator[](std::size_t r) const { return &cells[r * columns]; }
    rational &operator()(std::size_t r, std::size_t c) { return cells.at(r * columns + c); }
    friend matrix operator*(const matrix &a, const matrix &b)
    {
        matrix out(a.rows, b.columns);
        for (std::size_t i = 0; i < a.rows; i++)
            for (std::size_t j = 0; j < b.columns; j++)
                for (std::size_t k = 0; k < a.columns; k++)
                    out[i][j] += a[i][k] * b[k][j];
        return out;
    }
    matrix inverse() const
    {
        matrix a = *this, b(rows, rows);
        for (std::size_t i = 0; i < rows; i++)
            b[i][i] = 1;
        for (std::size_t i = 0; i < rows; i++) {
            std::size_t pivot = i;
            while (!a[pivot][i])
                pivot++;
            std::swap_ranges(a[i], a[i] + columns, a[pivot]);
            std::swap_ranges(b[i], b[i] + columns, b[pivot]);
            rational scale = a[i][i];
            for (std::size_t j = 0; j < columns; j++)
                a[i][j] /= scale, b[i][j] /= scale;
            for (std::size_t k = 0; k < rows; k++) {
                rational factor = a[k][i];
                for (std::size_t j = 0; k != i && j < columns; j++)
                    a[k][j] -= factor * a[i][j], b[k][j] -= factor * b[i][j];
            }
        }
        return b;
    }
    friend std::ostream &operator<<(std::ostream &out, const matrix &m)
    {
        for (std::size_t i = 0; i < m.cells.size(); i++)
            out << m.cells[i] << ((i + 1) % m.columns ? ' ' : ';');
        return out;
    }
};

template <class T, std::size_t N> class ring {
    T slots[N];
    std::size_t start = 0, used = 0;

  public:
    class iterator {
        ring *owner;
        std::ptrdiff_t at;

      public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = T *;
        using reference = T &;
        iterator(ring *o = nullptr, std::ptrdiff_t a = 0) : owner(o), at(a) {}
        reference operator*() const { return (*owner)[std::size_t(at)]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type n) const { return *(*this + n); }
        iterator &operator++() { return ++at, *this; }
        iterator operator++(int) { return {owner, at++}; }
        iterator &operator--() { return --at, *this; }
        iterator operator--(int) { return {owner, at--}; }
        iterator &operator+=(difference_type n) { return at += n, *this; }
        iterator &operator-=(difference_type n) { return at -= n, *this; }
        friend iterator operator+(iterator i, difference_type n) { return i += n; }
        friend iterator operator-(iterator i, difference_type n) { return i -= n; }
        friend difference_type operator-(const iterator &a, const iterator &b) { return a.at - b.at; }
        friend bool operator==(const iterator &a, const iterator &b) { return a.at == b.at; }
        friend bool operator!=(const iterator &a, const iterator &b) { return a.at != b.at; }
        friend bool operator<(const iterator &a, const iterator &b) { return a.at < b.at; }
    };
    T &operator[](std::size_t i) { return slots[(start + i) % N]; }
    ring &operator<<(T value)
    {
        (*this)[used] = value;
        used < N ? used++ : start = (start + 1) % N;
        return *this;
    }
    iterator begin() { return {this, 0}; }
    iterator end() { return {this, std::ptrdiff_t(used)}; }
};

struct tracing_pointer {
    std::string *target;
    int *uses;
    std::string *operator->() const { return ++*uses, target; }
    std::string &operator*() const { return ++*uses, *target; }
};

int main()
{
    rational half(1, 2), third(1, -3);
    std::cout << half + third << ' ' << half - third << ' ' << half * third << ' ' << half / third << ' ' << -third << ' ' << 2 + half << ' ' << 7_r / 21 << ' ' << double(third) << ' ' << (third < half) << ' ' << (half == rational(50, 100)) << '\n';
    rational r = half;
    std::cout << r++ << ' ' << ++r << ' ' << (r ? "yes" : "no") << '\n';
    rational harmonic;
    for (int i = 1; i <= 15; i++)
        harmonic += rational(1, i);
    std::cout << harmonic << '\n';
    try {
        std::cout << half / rational(0) << '\n';
    } catch (const std::domain_error &e) {
        std::cout << e.what() << '\n';
    }
    matrix m{{1, 2, 3}, {0, 1, 4}, {5, 6, 0}}, h{{1, {1, 2}, {1, 3}}, {{1, 2}, {1, 3}, {1, 4}}, {{1, 3}, {1, 4}, {1, 5}}};
    std::cout << m * m << '\n' << m.inverse() << '\n' << m * m.inverse() << '\n' << h.inverse() << '\n';
    m(0, 0) = 99;
    std::cout << m[0][0] << '\n';

    ring<int, 8> buffer;
    for (int i = 0; i < 13; i++)
        buffer << i * 37 % 50;
    std::copy(buffer.begin(), buffer.end(), std::ostream_iterator<int>(std::cout, " "));
    std::sort(buffer.begin(), buffer.end());
    std::cout << "| " << buffer[0] << ' ' << buffer.end()[-1] << ' ' << std::accumulate(buffer.begin(), buffer.end(), 0) << ' ' << (std::lower_bound(buffer.begin(), buffer.end(), 30) - buffer.begin()) << '\n';
    std::reverse_iterator<ring<int, 8>::iterator> back(buffer.end());
    std::cout << *back << ' ' << *std::next(back, 2) << '\n';
    std::string text = "pointed at";
    int uses = 0;
    tracing_pointer p{&text, &uses};
    std::cout << p->size() << ' ' << (*p)[0] << ' ' << uses << '\n';
    std::vector<int> source{1, 2, 3};
    std::vector<int> target(std::make_move_iterator(source.begin()), std::make_move_iterator(source.end()));
    std::copy(source.begin(), source.end(), std::inserter(target, target.begin() + 1));
    std::cout << target.size() << target[1] << target[4] << (char)10;
    return 0;
}
