// steam: levels=O0,O3,Os
// unique_ptr, shared_ptr, weak_ptr: ownership, custom deleters, aliasing, cycles broken by weak pointers, enable_shared_from_this, observers.
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

static int alive;
struct item {
    std::string name;
    item(std::string n) : name(std::move(n)) { ++alive; }
    virtual ~item()
    {
        --alive;
        std::cout << '~' << name << ' ';
    }
};
struct special : item {
    int values[4] = {1, 2, 3, 4};
    using item::item;
};

struct person : std::enable_shared_from_this<person> {
    std::string name;
    std::weak_ptr<person> parent;
    std::vector<std::shared_ptr<person>> children;
    person(std::string n) : name(std::move(n)) { ++alive; }
    ~person() { --alive; }
    void adopt(std::shared_ptr<person> child)
    {
        child->parent = shared_from_this();
        children.push_back(std::move(child));
    }
    std::string path() const
    {
        auto up = parent.lock();
        return (up ? up->path() + "/" : "") + name;
    }
};

class cache {
    std::map<int, std::weak_ptr<item>> entries;

  public:
    int made = 0;
    std::shared_ptr<item> get(int id)
    {
        auto found = entries[id].lock();
        if (!found) {
            made++;
            entries[id] = found = std::make_shared<item>("cached" + std::to_string(id));
        }
        return found;
    }
};

class subject {
    std::vector<std::weak_ptr<std::function<void(int)>>> observers;

  public:
    void attach(const std::shared_ptr<std::function<void(int)>> &f) { observers.push_back(f); }
    int notify(int value)
    {
        int reached = 0;
        for (auto &w : observers)
            if (auto f = w.lock())
                (*f)(value), reached++;
        return reached;
    }
};

struct tree {
    int key;
    std::unique_ptr<tree> left, right;
    explicit tree(int k) : key(k) {}
};
static void insert(std::unique_ptr<tree> &t, int key)
{
    if (!t)
        t = std::make_unique<tree>(key);
    else
        insert(key < t->key ? t->left : t->right, key);
}
static int sum(const std::unique_ptr<tree> &t, int depth = 1) { return t ? t->key * depth + sum(t->left, depth + 1) + sum(t->right, depth + 1) : 0; }

static std::unique_ptr<item> factory(bool fancy) { return fancy ? std::make_unique<special>("special") : std::make_unique<item>("plain"); }

int main()
{
    {
        auto a = factory(true), b = factory(false);
        std::unique_ptr<item> c = std::move(a);
        std::cout << (a == nullptr) << ' ' << c->name << ' ' << static_cast<special &>(*c).values[2] << '\n';
        b.swap(c);
        b.reset();
        item *raw = c.release();
        std::cout << (c.get() == nullptr) << '\n';
        delete raw;
        auto array = std::make_unique<int[]>(100);
        array[99] = 7;
        std::cout << array[0] << array[99] << '\n';
    }
    std::cout << "alive " << alive << '\n';
    {
        auto close = [](std::FILE *f) { std::cout << "closing " << std::fclose(f) << '\n'; };
        std::unique_ptr<std::FILE, decltype(close)> file(std::tmpfile(), close);
        std::fputs("text", file.get());
    }
    {
        std::shared_ptr<item> a = std::make_shared<special>("shared"), b = a;
        std::weak_ptr<item> w = a;
        std::shared_ptr<int> inside(a, &static_cast<special *>(a.get())->values[3]);
        std::cout << a.use_count() << ' ' << w.expired() << ' ' << *inside << '\n';
        a.reset();
        b = nullptr;
        std::cout << inside.use_count() << ' ' << w.lock()->name << ' ' << (std::dynamic_pointer_cast<special>(w.lock()) != nullptr) << '\n';
        inside.reset();
        std::cout << w.expired() << ' ' << w.use_count() << '\n';
        std::shared_ptr<void> erased(new item("erased"), [](item *p) { std::cout << "deleter "; delete p; });
        std::shared_ptr<int[]> numbers(new int[5]{5, 4, 3, 2, 1});
        std::cout << numbers[1] << '\n';
    }
    std::cout << "alive " << alive << '\n';
    {
        auto root = std::make_shared<person>("root");
        for (const char *n : {"a", "b"})
            root->adopt(std::make_shared<person>(n));
        root->children[1]->adopt(std::make_shared<person>("deep"));
        auto deep = root->children[1]->children[0];
        std::cout << deep->path() << ' ' << root.use_count() << ' ' << deep.use_count() << '\n';
        root.reset();
        std::cout << deep->path() << ' ' << deep->parent.expired() << " alive " << alive << '\n';
        person lonely("on the stack");
        try {
            lonely.adopt(deep);
        } catch (const std::bad_weak_ptr &) {
            std::cout << "not shared\n";
        }
    }
    {
        cache c;
        auto one = c.get(1), again = c.get(1);
        c.get(2);
        c.get(2);
        std::cout << (one == again) << ' ' << c.made << '\n';
    }
    std::cout << "alive " << alive << '\n';
    subject s;
    int total = 0;
    auto adder = std::make_shared<std::function<void(int)>>([&](int v) { total += v; });
    s.attach(adder);
    {
        auto doubler = std::make_shared<std::function<void(int)>>([&](int v) { total += 2 * v; });
        s.attach(doubler);
        std::cout << s.notify(10) << ' ';
    }
    std::cout << s.notify(1) << ' ' << total << '\n';
    std::unique_ptr<tree> t;
    for (int i = 0; i < 200; i++)
        insert(t, i * 7919 % 1009);
    std::cout << sum(t) << '\n';
    return 0;
}
