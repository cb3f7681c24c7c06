// The C++ library: streams, exceptions, threads, files.
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Tracked {
    int number;
    explicit Tracked(int number) : number(number) {}
    ~Tracked() { std::cout << "destroyed " << number << "\n"; }
};

static void deep(int level)
{
    Tracked tracked(level);
    if (level == 0)
        throw std::runtime_error("from the depth");
    deep(level - 1);
}

int main()
{
    try {
        deep(3);
    } catch (const std::exception &error) {
        std::cout << error.what() << std::endl;
    }
    std::map<std::string, int> words;
    for (auto word : {"b", "a", "c", "a"})
        words[word]++;
    for (auto &[word, count] : words)
        std::cout << word << count << " ";
    std::cout << std::setprecision(10) << 3.14159265358979 << std::endl;
    std::mutex mutex;
    int sum = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            std::lock_guard<std::mutex> lock(mutex);
            sum += i;
        });
    for (auto &thread : threads)
        thread.join();
    std::cout << sum << std::endl;
    std::cout << std::async(std::launch::async, [] { return 42; }).get() << std::endl;
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread setter([&] { promise.set_value(7); });
    std::cout << future.get() << std::endl;
    setter.join();
    auto failing = std::async(std::launch::async, []() -> int { throw std::logic_error("in a thread"); });
    try {
        failing.get();
    } catch (const std::logic_error &error) {
        std::cout << error.what() << std::endl;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    auto path = std::filesystem::temp_directory_path() / "steam-library-test";
    std::ofstream(path) << "written\n";
    std::string line;
    std::getline(std::ifstream(path) , line);
    std::cout << line << " " << std::filesystem::file_size(path) << std::endl;
    std::cout << std::filesystem::remove(path) << std::filesystem::exists(path) << std::endl;
    std::getline(std::cin, line);
    std::cout << line << std::endl;
    throw std::runtime_error("uncaught");
}
