// Every way in which C++ declares and accesses atomic objects, and plain ones beside them; as
// `objects.c`.
#include <array>
#include <atomic>
#include <memory>
#include <vector>

enum { PLAIN, ATOMIC, FORGET, CAST };
#define NOINLINE __attribute__((noinline, noclone))

extern "C" {
NOINLINE void begin() { __asm__ volatile(""); }
NOINLINE void end() { __asm__ volatile(""); }
NOINLINE void tell(const volatile void *at, unsigned size, int what) {
    __asm__ volatile("" : : "r"(at), "r"(size), "r"(what) : "memory");
}
}
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

struct Node {
    int plain = 0;
    std::atomic<int> flag{0};
    Node *link = nullptr;
    std::atomic<Node *> next{nullptr};
    std::atomic<bool> ready{false};
    bool done = false;
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    std::atomic<long long> wide{0};
    long long plain_wide = 0;
};
class Base { public: virtual ~Base() {} int hits = 0; std::atomic<int> total{0}; };
class Counter : public Base {
    std::atomic<short> small{0};
    int last = 0;
public:
    NOINLINE int get() const { return total.load(relaxed) + hits + small.load(acquire) + last; }
    NOINLINE void put(int value) { total.store(value, release); hits = value; small.store(3, relaxed); last++; }
    void tell_all() { tell(&hits, 4, PLAIN); tell(&total, 4, ATOMIC); tell(&small, 2, ATOMIC); tell(&last, 4, PLAIN); }
};
template <class T> struct Cell { T value; std::atomic<T> shared; };

std::atomic<int> global;
int neighbour;
Node box;
Counter counter;
std::vector<std::atomic<int>> numbers(4);
std::vector<int> plain_numbers(4);
std::array<std::atomic<int>, 3> three;
int raw, other_raw;
std::shared_ptr<int> pointer;
Cell<int> cell;
int which = 1;

NOINLINE int globals() { global.store(3, release); neighbour = 2; global = global.load(relaxed) + 1; return global + neighbour + which; }
NOINLINE int by_parameter(Node *p) { p->flag.store(1, relaxed); p->plain = 2; p->done = true; return p->flag.load(acquire) + p->plain + p->ready.load(relaxed) + p->done; }
NOINLINE int by_reference(Node &p) { p.ready.store(true, release); p.plain++; return p.ready + p.plain + p.flag; }
NOINLINE int by_chain(Node *p) { return p->link->flag.load(relaxed) + p->link->plain + p->link->link->flag; }
NOINLINE int by_atomic_pointer(Node *p) { Node *q = p->next.load(acquire); q->plain = 3; return q->plain + q->flag.load(relaxed) + q->next.load()->plain; }
NOINLINE int members() { box.flag.store(2, relaxed); box.plain = 3; return box.flag + box.plain + box.ready + box.done; }
NOINLINE int elements(int i) { numbers[i].store(i, relaxed); plain_numbers[i] = i; three[i].store(2, release); return numbers[i].load(relaxed) + numbers[2] + plain_numbers[i] + plain_numbers[2] + three[i] + three[2].load(relaxed); }
NOINLINE int spin(Node *p) { while (!p->ready.load(acquire)) ; return p->plain; }
NOINLINE int flag(Node *p) { bool was = p->lock.test(relaxed); p->lock.clear(release); return was + p->plain; }
NOINLINE long long wides(Node *p) { p->wide.store(5, release); p->plain_wide = 6; return p->wide.load(relaxed) + p->plain_wide; }
NOINLINE int compare(Node *p, int *expected) { p->flag.store(7, relaxed); bool done = p->flag.compare_exchange_strong(*expected, 3); return done + *expected; }
NOINLINE int templated(Cell<int> *p) { p->value = 1; p->shared.store(2, release); return p->value + p->shared.load(relaxed); }
NOINLINE int lambda(Node *p) { auto read = [p] { return p->flag.load(relaxed) + p->plain; }; return read() + read(); }
NOINLINE int owned(const std::unique_ptr<Node> &p) { p->flag.store(2, relaxed); p->plain = 1; return p->flag.load(relaxed) + p->plain; }
NOINLINE int shared(const std::shared_ptr<Node> &p) { auto mine = p; mine->plain = 2; return mine->flag.load(relaxed) + mine->plain + (mine.use_count() > 5); }
NOINLINE int counted() { return pointer.use_count(); }
NOINLINE int locals() {
    std::atomic<int> local{1}; int plain = 2;
    tell(&local, 4, ATOMIC); tell(&plain, 4, PLAIN);
    local.store(2, relaxed); plain = 4;
    __asm__ volatile("" : : "r"(&plain), "r"(&local) : "memory");
    int result = local.load(relaxed) + plain;
    tell(&local, 4, FORGET); tell(&plain, 4, FORGET);
    return result;
}
#if __cplusplus >= 202002L
// What is accessed by a reference is atomic there and plain elsewhere, so it is told anew.
NOINLINE int referred() {
    tell(&raw, 4, ATOMIC);
    std::atomic_ref<int> reference(raw);
    reference.store(4, release);
    int result = reference.load(relaxed);
    tell(&raw, 4, FORGET);
    return result;
}
NOINLINE int referred_element(std::vector<int> &all, int i) {
    std::atomic_ref<int> reference(all[i]);
    tell(&all[i], 4, ATOMIC);
    int result = reference.load(acquire) + which;
    tell(&all[i], 4, FORGET);
    return result;
}
#else
NOINLINE int referred() { return 0; }
NOINLINE int referred_element(std::vector<int> &all, int i) { return all[i]; }
#endif
NOINLINE int unreferred() { raw = 3; return raw + other_raw; }

static void tell_node(Node *p) {
    tell(&p->plain, 4, PLAIN); tell(&p->flag, 4, ATOMIC); tell(&p->link, 4, PLAIN); tell(&p->next, 4, ATOMIC);
    tell(&p->ready, 1, ATOMIC); tell(&p->done, 1, PLAIN); tell(&p->lock, 1, ATOMIC); tell(&p->wide, 8, ATOMIC); tell(&p->plain_wide, 8, PLAIN);
}

int main() {
    Node *list = new Node[4];
    for (int i = 0; i < 3; i++) { list[i].link = &list[i + 1]; list[i].next = &list[i + 1]; }
    auto one = std::make_unique<Node>();
    auto many = std::make_shared<Node>();
    Counter *made = new Counter;
    Cell<int> *heap_cell = new Cell<int>;
    int *expected = new int(2);
    pointer = std::make_shared<int>(4);
    begin();
    for (int i = 0; i < 4; i++) tell_node(&list[i]);
    tell_node(&box); tell_node(one.get()); tell_node(many.get());
    counter.tell_all(); made->tell_all();
    tell(&numbers[0], 16, ATOMIC); tell(&plain_numbers[0], 16, PLAIN); tell(&three, 12, ATOMIC);
    tell(&global, 4, ATOMIC); tell(&neighbour, 4, PLAIN); tell(&which, 4, PLAIN); tell(expected, 4, PLAIN);
    tell(&numbers, sizeof numbers, PLAIN); tell(&plain_numbers, sizeof plain_numbers, PLAIN); tell(&pointer, sizeof pointer, PLAIN);
    tell(&cell.value, 4, PLAIN); tell(&cell.shared, 4, ATOMIC); tell(&heap_cell->value, 4, PLAIN); tell(&heap_cell->shared, 4, ATOMIC);
    list[0].ready = true;
    globals(); by_parameter(list); by_reference(list[1]); by_chain(list); by_atomic_pointer(list); members(); elements(1);
    spin(list); flag(list); wides(list); compare(list, expected); templated(&cell); templated(heap_cell); lambda(list);
    owned(one); shared(many); counted(); locals(); counter.put(3); made->put(4); counter.get(); made->get();
    referred(); tell(&plain_numbers[1], 4, FORGET); referred_element(plain_numbers, 1);
    tell(&raw, 4, PLAIN); tell(&other_raw, 4, PLAIN); unreferred();
    end();
    return 0;
}
