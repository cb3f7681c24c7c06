// steam: error=double-free
// A class that owns memory is copied by the compiler's own copy constructor.
#include <cstdio>
#include <cstring>

class text {
    char *data;

  public:
    explicit text(const char *s) : data(new char[std::strlen(s) + 1]) { std::strcpy(data, s); }
    ~text()
    {
        delete[] data; /* ERROR */
    }
    std::size_t size() const { return std::strlen(data); }
};

static std::size_t __attribute__((noinline)) measure(text t) { return t.size(); }

int main()
{
    text a("shallow");
    std::printf("%zu\n", a.size());
    std::printf("%zu\n", measure(a));
    return 0;
}
