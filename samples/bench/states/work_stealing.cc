// steam: expect=none std=c++17 flags=-DJOBS=2,-DTHIEVES=1
/* The deque of Chase and Lev with a fixed ring: its owner pushes and pops at the bottom, thieves take from the top.
 * Jobs come from the heap; whoever gets one does it and deletes it. */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef JOBS
#define JOBS 3
#endif
#ifndef THIEVES
#define THIEVES 1
#endif

struct Job {
    int number;
    int steps[3];
};

class Deque {
public:
    void push(Job *job)
    {
        int bottom = bottom_.load();
        ring_[bottom % SIZE].store(job);
        bottom_.store(bottom + 1);
    }

    Job *pop()
    {
        int bottom = bottom_.load() - 1;
        bottom_.store(bottom);
        int top = top_.load();
        if (top > bottom) {
            bottom_.store(bottom + 1);
            return nullptr;
        }
        Job *job = ring_[bottom % SIZE].load();
        if (top == bottom) {
            if (!top_.compare_exchange_strong(top, top + 1))
                job = nullptr;
            bottom_.store(bottom + 1);
        }
        return job;
    }

    Job *steal()
    {
        int top = top_.load();
        if (top >= bottom_.load())
            return nullptr;
        Job *job = ring_[top % SIZE].load();
        return top_.compare_exchange_strong(top, top + 1) ? job : nullptr;
    }

private:
    static constexpr int SIZE = 8;
    std::atomic<int> top_{0}, bottom_{0};
    std::atomic<Job *> ring_[SIZE] = {};
};

static int perform(Job *job)
{
    int sum = 0;
    for (int &step : job->steps)
        sum += step = job->number;
    delete job;
    return sum;
}

int main()
{
    Deque deque;
    int own = 0, stolen[THIEVES] = {};
    std::vector<std::thread> thieves;
    for (int &sum : stolen)
        thieves.emplace_back([&deque, &sum] {
            if (Job *job = deque.steal())
                sum += perform(job);
        });
    for (int i = 1; i <= JOBS; i++)
        deque.push(new Job{i, {}});
    while (Job *job = deque.pop())
        own += perform(job);
    for (auto &thief : thieves)
        thief.join();
    for (int sum : stolen)
        own += sum;
    assert(own == 3 * JOBS * (JOBS + 1) / 2);
}
