// steam: error=none
// std::string at and around the small-buffer size and at exact capacities.
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>

int main()
{
    std::size_t sum = 0;
    for (std::size_t n = 0; n < 100; n++) {
        std::string s(n, 'a'), copy = s, moved = std::move(copy);
        s.reserve(n + 3);
        s.append(s.capacity() - s.size(), 'b');
        s.shrink_to_fit();
        sum += std::strlen(s.c_str()) + moved.find_last_of('a') + s.find("bb");
        s.insert(s.size() / 2, moved);
        s.erase(0, n);
        s.replace(0, s.size(), moved + "tail");
        sum += s.size() + (s < moved);
        std::ostringstream out;
        out << s << n;
        sum += out.str().size();
    }
    std::printf("%zu\n", sum);
    return 0;
}
