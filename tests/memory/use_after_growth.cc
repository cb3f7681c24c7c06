// steam: error=use-after-free
// A reference into a vector outlives the vector's next growth.
#include <cstdio>
#include <vector>

struct player {
    int score;
    int lives;
};

static int __attribute__((noinline)) lives_of(const player &p)
{
    return p.lives; /* ERROR */
}

int main()
{
    std::vector<player> players;
    players.reserve(2);
    players.push_back({10, 3});
    const player &leader = players.front();
    std::printf("%d\n", lives_of(leader));
    players.push_back({20, 2});
    players.push_back({30, 1});
    std::printf("%d\n", lives_of(leader));
    return 0;
}
