// steam: error=heap-out-of-bounds
// A histogram with ten slots is asked for the eleventh.
#include <cstdio>
#include <initializer_list>

class histogram {
    int *slots;

  public:
    explicit histogram(int n) : slots(new int[n]()) {} /* ALLOC */
    ~histogram() { delete[] slots; }
    void __attribute__((noinline)) count(int value)
    {
        slots[value / 10]++; /* ERROR */
    }
    int at(int slot) const { return slots[slot]; }
};

int main()
{
    histogram h(10);
    for (int score : {5, 99, 42, 47})
        h.count(score);
    std::printf("%d\n", h.at(4));
    h.count(100);
    std::printf("%d\n", h.at(9));
    return 0;
}
