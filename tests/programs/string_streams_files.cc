// stringstream and fstream: reading, writing, seeking, binary records, line statistics, stream buffers, tee and counting filters.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <unistd.h>
#include <vector>

class counting_buffer : public std::streambuf {
    std::streambuf *next;
    int characters = 0, lines = 0;

  protected:
    int overflow(int c) override
    {
        if (c == EOF)
            return 0;
        ++characters;
        lines += c == '\n';
        return next->sputc(static_cast<char>(std::toupper(c)));
    }
    int sync() override { return next->pubsync(); }

  public:
    explicit counting_buffer(std::streambuf *n) : next(n) {}
    void report() const { std::cout << characters << " characters, " << lines << " lines\n"; }
};

static std::string temporary()
{
    char path[] = "/tmp/streams_XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        std::exit(1);
    close(fd);
    return path;
}

struct entry {
    int id;
    double weight;
    char tag[8];
};

static void binary(const std::string &path)
{
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
    for (int i = 0; i < 50; i++) {
        entry e{i, i * 0.25, {}};
        std::snprintf(e.tag, sizeof e.tag, "t%d", i * i);
        file.write(reinterpret_cast<const char *>(&e), sizeof e);
    }
    std::cout << "position " << file.tellp() << '\n';
    entry e;
    for (int i : {49, 0, 25}) {
        file.seekg(i * static_cast<int>(sizeof e));
        file.read(reinterpret_cast<char *>(&e), sizeof e);
        std::cout << e.id << ' ' << e.weight << ' ' << e.tag << "; ";
    }
    file.seekp(-static_cast<int>(sizeof e), std::ios::end);
    e.id = -1;
    file.write(reinterpret_cast<const char *>(&e), sizeof e);
    file.seekg(0, std::ios::end);
    std::cout << "size " << file.tellg() << '\n';
    file.seekg(-static_cast<int>(sizeof e), std::ios::end);
    file.read(reinterpret_cast<char *>(&e), sizeof e);
    std::cout << e.id << " more " << (file.peek() == EOF) << '\n';
}

static void text(const std::string &path)
{
    {
        std::ofstream out(path);
        for (int i = 0; i < 30; i++)
            out << "line " << i << std::string(i % 7, '.') << '\n';
    }
    {
        std::ofstream out(path, std::ios::app);
        out << "appended";
    }
    std::ifstream in(path);
    std::map<std::size_t, int> lengths;
    std::string line, last;
    while (std::getline(in, line))
        lengths[(last = line).size()]++;
    for (auto [length, count] : lengths)
        std::cout << length << ':' << count << ' ';
    std::cout << last << '\n';
    in.clear();
    in.seekg(0);
    std::string all{std::istreambuf_iterator<char>(in), {}};
    std::cout << all.size() << " bytes, " << std::count(all.begin(), all.end(), '\n') << " newlines\n";
    std::ifstream missing("/tmp/there/is/no/such");
    std::cout << "missing " << missing.is_open() << ' ' << !missing << '\n';
    std::filebuf raw;
    raw.open(path, std::ios::in);
    std::cout << static_cast<char>(raw.sgetc()) << static_cast<char>(raw.snextc()) << ' ' << raw.in_avail() << '\n';
}

int main()
{
    std::stringstream s;
    s << "alpha " << 1 << ' ' << 2.5 << " beta";
    std::string a, b;
    int i;
    double d;
    s >> a >> i >> d >> b;
    std::cout << a << b << i << d << ' ' << s.eof() << '\n';
    s.str("");
    s.clear();
    for (int k = 0; k < 5; k++)
        s << std::setw(4) << std::setfill('0') << k * 37 << ',';
    std::cout << s.str() << '\n';
    s.seekp(5);
    s << "XXXX";
    s.seekg(3);
    char c;
    s >> c;
    s.unget();
    s.putback('Z');
    std::cout << c << ' ' << s.str() << '\n';
    std::istringstream numbers("5 3 9 1 7 x 4");
    std::vector<int> v{std::istream_iterator<int>(numbers), {}};
    std::sort(v.begin(), v.end());
    std::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << "| stopped " << numbers.fail() << '\n';

    counting_buffer filter(std::cout.rdbuf());
    std::ostream shout(&filter);
    shout << "quiet words\nbecome loud " << 42 << '\n' << std::flush;
    filter.report();
    std::ostringstream captured;
    auto *old = std::cout.rdbuf(captured.rdbuf());
    std::cout << "hidden";
    std::cout.rdbuf(old);
    std::cout << "captured " << captured.str() << '\n';

    std::string path = temporary();
    binary(path);
    text(path);
    std::remove(path.c_str());
    return 0;
}
