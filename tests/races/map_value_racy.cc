// race: heap block of map_value_racy.cc:10 12 14
/* Nobody changes the map itself, but two threads write the value of one key. */
#include <map>
#include <thread>

static std::map<int, int> stock;

int main()
{
    stock[7] = 1;
    std::thread other([] {
        stock.find(7)->second += 2;
    });
    stock.at(7) += 3;
    other.join();
    return stock[7] < 1;
}
