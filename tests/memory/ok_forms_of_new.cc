// steam: error=none std=c++17
// Each block is freed by what belongs to what made it, through all the detours that there are.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct alignas(64) wide {
    char bytes[64];
    virtual ~wide() {}
};
struct own {
    int value = 7;
    static void *operator new(std::size_t size) { return std::malloc(size); }
    static void operator delete(void *block) { std::free(block); }
};

int main()
{
    std::unique_ptr<int[]> array(new int[5]());
    std::unique_ptr<wide> one(new wide);
    wide *several = new wide[2];
    delete[] several;
    int *maybe = new (std::nothrow) int(4), *many = new (std::nothrow) int[3]();
    std::printf("%d %d %d\n", array[4], *maybe, many[2]);
    delete maybe;
    delete[] many;
    own *mine = new own;
    std::printf("%d\n", mine->value);
    delete mine;
    void *raw = ::operator new(8), *row = ::operator new[](8);
    ::operator delete(raw);
    ::operator delete[](row);
    std::vector<std::string> strings(3, std::string(100, 'x'));
    strings.push_back("y");
    auto shared = std::make_shared<std::string>(40, 'z');
    void *block = std::realloc(std::calloc(2, 4), 64);
    std::free(block);
    std::printf("%zu %zu\n", strings[0].size(), shared->size());
    try {
        throw std::string("thrown");
    } catch (const std::string &text) {
        std::puts(text.c_str());
    }
    return 0;
}
