// steam: std=c++20
// Coroutines: lazy generators, recursive generators, tasks that await each other, a round-robin scheduler, exceptions inside.
#include <coroutine>
#include <cstdio>
#include <deque>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static int frames;

template <class T> class generator {
  public:
    struct promise_type {
        std::optional<T> current;
        std::exception_ptr error;
        promise_type() { frames++; }
        ~promise_type() { frames--; }
        generator get_return_object() { return generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T value)
        {
            current = std::move(value);
            return {};
        }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };
    explicit generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    generator(generator &&o) noexcept : handle(std::exchange(o.handle, nullptr)) {}
    ~generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next()
    {
        handle.resume();
        if (handle.promise().error)
            std::rethrow_exception(handle.promise().error);
        return !handle.done();
    }
    const T &value() const { return *handle.promise().current; }

  private:
    std::coroutine_handle<promise_type> handle;
};

static generator<unsigned long> fibonacci(int n)
{
    unsigned long a = 0, b = 1;
    while (n--) {
        co_yield a;
        a = std::exchange(b, a + b);
    }
}
static generator<std::string> permutations(std::string text)
{
    if (text.size() <= 1) {
        co_yield text;
        co_return;
    }
    for (std::size_t i = 0; i < text.size(); i++) {
        auto rest = permutations(text.substr(0, i) + text.substr(i + 1));
        while (rest.next())
            co_yield text[i] + rest.value();
    }
}
static generator<int> failing()
{
    co_yield 1;
    co_yield 2;
    throw std::runtime_error("generator broke");
}

template <class T> struct task {
    struct promise_type {
        T result{};
        std::exception_ptr error;
        std::coroutine_handle<> waiter;
        promise_type() { frames++; }
        ~promise_type() { frames--; }
        task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct resume_waiter {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().waiter ? h.promise().waiter : std::noop_coroutine(); }
            void await_resume() noexcept {}
        };
        resume_waiter final_suspend() noexcept { return {}; }
        void return_value(T value) { result = std::move(value); }
        void unhandled_exception() { error = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> handle;
    explicit task(std::coroutine_handle<promise_type> h) : handle(h) {}
    task(task &&o) noexcept : handle(std::exchange(o.handle, nullptr)) {}
    ~task()
    {
        if (handle)
            handle.destroy();
    }
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter)
    {
        handle.promise().waiter = waiter;
        return handle;
    }
    T await_resume()
    {
        if (handle.promise().error)
            std::rethrow_exception(handle.promise().error);
        return handle.promise().result;
    }
};

static std::deque<std::coroutine_handle<>> ready;
struct turn {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> h) { ready.push_back(h); }
    void await_resume() {}
};

static task<int> leaf(int n)
{
    co_await turn{};
    if (n == 3)
        throw std::logic_error("leaf three");
    co_return n * n;
}
static task<int> branch(std::string name, int from, int to)
{
    int sum = 0;
    for (int i = from; i < to; i++)
        try {
            sum += co_await leaf(i);
            std::printf("%s:%d ", name.c_str(), sum);
        } catch (const std::logic_error &e) {
            std::printf("%s caught %s ", name.c_str(), e.what());
            sum -= 1;
        }
    co_return sum;
}

int main()
{
    {
        auto g = fibonacci(20);
        while (g.next())
            std::printf("%lu ", g.value());
        std::puts("");
        auto p = permutations("abcd");
        int count = 0;
        while (p.next())
            if (count++ % 5 == 0)
                std::printf("%s ", p.value().c_str());
        std::printf("%d\n", count);
        auto f = failing();
        try {
            while (f.next())
                std::printf("%d ", f.value());
        } catch (const std::runtime_error &e) {
            std::printf("%s\n", e.what());
        }
        auto abandoned = permutations("xyz");
        abandoned.next();
    }
    std::printf("frames %d\n", frames);
    {
        std::vector<task<int>> tasks;
        tasks.push_back(branch("left", 0, 5));
        tasks.push_back(branch("right", 10, 13));
        for (auto &t : tasks)
            ready.push_back(t.handle);
        int turns = 0;
        while (!ready.empty()) {
            auto h = ready.front();
            ready.pop_front();
            h.resume();
            turns++;
        }
        std::printf("\n%d %d after %d turns\n", tasks[0].await_resume(), tasks[1].await_resume(), turns);
    }
    std::printf("frames %d\n", frames);
    return 0;
}
