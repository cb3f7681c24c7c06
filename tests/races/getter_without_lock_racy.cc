// race: account.balance 11 14
/* The class locks where it writes, and its getter does not. */
#include <mutex>
#include <thread>

class Account {
public:
    void deposit(int amount)
    {
        std::lock_guard<std::mutex> guard(mutex);
        balance += amount;
    }

    int get() const { return balance; }

private:
    std::mutex mutex;
    int balance = 0;
};

static Account account;

int main()
{
    std::thread other([] { account.deposit(5); });
    int seen = account.get();
    other.join();
    return seen != 0 && seen != 5;
}
