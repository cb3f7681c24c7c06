// race: main::worker.limit 7 18
/* The thread is a member that is constructed before the one that it reads. */
#include <thread>

class Worker {
public:
    Worker() : thread([this] { run(); }), limit(10) {}

    int finish()
    {
        thread.join();
        return seen;
    }

private:
    void run()
    {
        seen = limit;
    }

    int seen = 0;
    std::thread thread;
    int limit;
};

int main()
{
    Worker worker;
    worker.finish();
    return 0;
}
