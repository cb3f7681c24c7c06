// Move semantics: the five special members, moved-from states, return value optimisation, perfect forwarding, swap, emplace, reference qualifiers.
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

struct log_entry {
    static int copies, moves, assigns, move_assigns, alive;
};
int log_entry::copies, log_entry::moves, log_entry::assigns, log_entry::move_assigns, log_entry::alive;

class buffer {
    std::size_t size;
    char *data;

  public:
    explicit buffer(const char *text) : size(std::strlen(text)), data(new char[size + 1])
    {
        std::memcpy(data, text, size + 1);
        log_entry::alive++;
    }
    buffer(const buffer &o) : size(o.size), data(o.data ? new char[size + 1] : nullptr)
    {
        if (data)
            std::memcpy(data, o.data, size + 1);
        log_entry::copies++, log_entry::alive++;
    }
    buffer(buffer &&o) noexcept : size(std::exchange(o.size, 0)), data(std::exchange(o.data, nullptr)) { log_entry::moves++, log_entry::alive++; }
    buffer &operator=(const buffer &o)
    {
        if (this != &o) {
            buffer copy(o);
            swap(copy);
        }
        log_entry::assigns++;
        return *this;
    }
    buffer &operator=(buffer &&o) noexcept
    {
        swap(o);
        log_entry::move_assigns++;
        return *this;
    }
    ~buffer()
    {
        delete[] data;
        log_entry::alive--;
    }
    void swap(buffer &o) noexcept
    {
        std::swap(size, o.size);
        std::swap(data, o.data);
    }
    const char *text() const & { return data ? data : "(moved from)"; }
    std::string text() && { return std::string("temporary ") + data; }
};

static void report(const char *what)
{
    std::printf("%-12s copies %d moves %d assigns %d move-assigns %d alive %d\n", what, log_entry::copies, log_entry::moves, log_entry::assigns, log_entry::move_assigns, log_entry::alive);
    log_entry::copies = log_entry::moves = log_entry::assigns = log_entry::move_assigns = 0;
}
static buffer elided(const char *text) { return buffer(text); }
static buffer chosen(bool first)
{
    buffer a("a"), b("b");
    if (first)
        return a;
    return b;
}
static buffer through(buffer b) { return b; }

static const char *kind(buffer &) { return "lvalue"; }
static const char *kind(const buffer &) { return "const lvalue"; }
static const char *kind(buffer &&) { return "rvalue"; }
template <class T> static const char *forwarded(T &&t) { return kind(std::forward<T>(t)); }
template <class T> static const char *careless(T &&t) { return kind(t); }

struct node {
    std::string key;
    std::vector<buffer> values;
    node(std::string k) : key(std::move(k)) {}
};
struct throwing_move {
    int v = 1;
    throwing_move() = default;
    throwing_move(const throwing_move &o) : v(o.v) { log_entry::copies++; }
    throwing_move(throwing_move &&o) noexcept(false) : v(o.v) { log_entry::moves++; }
};

int main()
{
    {
        buffer a = elided("one");
        report("elided");
        buffer b = chosen(true);
        report("chosen");
        buffer c = a;
        buffer d = std::move(a);
        std::printf("%s %s %s\n", a.text(), c.text(), d.text());
        report("moved");
        a = c;
        c = std::move(d);
        a = elided("two");
        std::printf("%s %s %s\n", a.text(), c.text(), d.text());
        report("assigned");
        a = *&a;
        buffer e = through(std::move(a));
        std::printf("%s %s\n", e.text(), elided("three").text().c_str());
        report("through");
        const buffer k("const");
        std::printf("%s %s %s %s | %s\n", forwarded(e), forwarded(k), forwarded(std::move(e)), forwarded(buffer("x")), careless(buffer("x")));
        std::printf("%s\n", kind(static_cast<const buffer &&>(k)));
    }
    report("gone");
    {
        std::vector<buffer> v;
        for (int i = 0; i < 10; i++)
            v.emplace_back("element");
        report("grown");
        v.insert(v.begin(), buffer("front"));
        report("inserted");
        v.erase(v.begin() + 3);
        report("erased");
        std::vector<buffer> w = std::move(v);
        std::printf("%zu %zu\n", v.size(), w.size());
        report("vector moved");
        std::swap(w[0], w[5]);
        report("swapped");
        std::vector<node> nodes;
        nodes.emplace_back("first");
        nodes.back().values = std::move(w);
        nodes.emplace_back("second");
        nodes.push_back(node("third"));
        std::printf("%s %zu %s\n", nodes[0].key.c_str(), nodes[0].values.size(), nodes[0].values[5].text());
        report("nodes");
    }
    std::vector<throwing_move> t(3);
    t.reserve(10);
    report("throwing");
    std::printf("%d %d %d %d\n", std::is_nothrow_move_constructible<buffer>::value, std::is_nothrow_move_constructible<throwing_move>::value, std::is_nothrow_move_constructible<node>::value, std::is_trivially_copyable<std::pair<int, int>>::value);
    return 0;
}
