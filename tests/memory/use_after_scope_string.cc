// steam: error=use-after-free
// c_str() of a temporary: the pointer dies with the full expression.
#include <cstdio>
#include <string>

static std::string __attribute__((noinline)) title(int number) { return "a title that is too long for the small buffer, number " + std::to_string(number); }
static int __attribute__((noinline)) count(const char *text, char wanted)
{
    int n = 0;
    for (; *text; text++) /* ERROR */
        n += *text == wanted;
    return n;
}

int main()
{
    std::printf("%d\n", count(title(1).c_str(), 't'));
    const char *kept = title(2).c_str();
    std::printf("%d\n", count(kept, 't'));
    return 0;
}
