// Static construction and destruction: order, function-local statics, exceptions in them, thread_local objects, inline variables.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::string &journal()
{
    static std::string text = "journal:";
    return text;
}
struct recorder {
    std::string name;
    explicit recorder(const char *n) : name(n) { journal() += " +" + name; }
    ~recorder() { std::printf("-%s\n", name.c_str()); }
};

recorder first("first");
static recorder second("second");
namespace {
recorder hidden("hidden");
}
struct holder {
    static recorder member;
    static const std::map<std::string, int> table;
};
recorder holder::member("member");
const std::map<std::string, int> holder::table{{"one", 1}, {"two", 2}, {"three", 3}};
static int depends_on_table = holder::table.at("three") * 14;
static recorder array[2] = {recorder("array0"), recorder("array1")};

class registry {
    std::map<std::string, int (*)(int)> entries;

  public:
    static registry &instance()
    {
        static registry r;
        return r;
    }
    bool add(const char *name, int (*f)(int))
    {
        entries[name] = f;
        return true;
    }
    void run(int x) const
    {
        for (auto &e : entries)
            std::printf("%s(%d)=%d ", e.first.c_str(), x, e.second(x));
        std::puts("");
    }
};
static const bool registered[] = {registry::instance().add("square", [](int x) { return x * x; }), registry::instance().add("negate", [](int x) { return -x; })};

static recorder &lazy(bool fail)
{
    static int attempts;
    attempts++;
    static recorder r = [&] {
        if (fail)
            throw std::runtime_error("attempt " + std::to_string(attempts));
        return recorder("lazy");
    }();
    return r;
}

struct per_thread {
    int id;
    std::vector<int> *out;
    ~per_thread()
    {
        if (out)
            out->push_back(id);
    }
};
static thread_local per_thread slot{0, nullptr};
static thread_local std::string thread_text = "initial";

int main()
{
    std::printf("%s %d %zu\n", journal().c_str(), depends_on_table, sizeof registered);
    registry::instance().run(7);
    for (bool fail : {true, true, false, true})
        try {
            std::printf("%s\n", lazy(fail).name.c_str());
        } catch (const std::runtime_error &e) {
            std::printf("failed: %s\n", e.what());
        }
    std::vector<int> ended;
    for (int i = 1; i <= 3; i++) {
        std::thread t([i, &ended] {
            slot.id = i * 11;
            slot.out = &ended;
            thread_text += std::to_string(i);
            std::printf("thread %d: %s\n", i, thread_text.c_str());
        });
        t.join();
    }
    std::printf("%s %d %d %d\n", thread_text.c_str(), ended[0], ended[1], ended[2]);
    std::atexit([] { std::puts("atexit in main"); });
    static recorder late("late");
    {
        recorder automatic("automatic");
    }
    auto *leaked = new recorder("leaked on purpose");
    std::printf("%s\n", leaked->name.c_str());
    delete leaked;
    return 0;
}
