// steam: levels=O0
// race: Config::instance 15 17
// race: Config::instance 17 17
// race: Config::instance 17 19
// race by C11 only: heap block of singleton_racy.cc:16 11 22
/* A singleton in the old style, made at its first use. */
#include <thread>

class Config {
public:
    Config() : verbosity(1) {}

    static Config *get()
    {
        if (instance == nullptr) {
            Config *made = new Config;
            instance = made;
        }
        return instance;
    }

    int level() const { return verbosity; }

private:
    int verbosity;
    static Config *instance;
};

Config *Config::instance;

int main()
{
    std::thread other([] { Config::get()->level(); });
    Config::get()->level();
    other.join();
    return 0;
}
