// steam: error=uninitialised
#include <cstdio>
#include <string>
#include <vector>

struct Account {
    std::string name;
    int balance;
    bool open;
    explicit Account(const char *name) : name(name), balance(0) {}
};

__attribute__((noipa)) static void show(const std::vector<Account> &accounts) {
    for (const Account &account : accounts)
        if (account.open) /* ERROR */
            std::puts(account.name.c_str());
}

int main() {
    std::vector<Account> accounts;
    accounts.emplace_back("one");
    show(accounts);
    return 0;
}
