// steam: levels=O0,O2,Os
// Random engines and distributions of the standard library: the engines' 10000th values, streams of state, seeds, shuffles, sampling.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

template <class E> static void engine(const char *name)
{
    E e, other;
    e.discard(9999);
    std::cout << name << ' ' << +e() << ' ' << +E::min() << ' ' << (E::max() > 1000);
    std::stringstream state;
    state << e;
    state >> other;
    std::cout << ' ' << (e == other) << ' ' << (e() == other()) << '\n';
}
template <class D> static void distribution(const char *name, D d)
{
    std::mt19937 e(12345);
    double sum = 0, squares = 0;
    const int n = 2000;
    for (int i = 0; i < n; i++) {
        double v = double(d(e));
        sum += v, squares += v * v;
    }
    double mean = sum / n;
    std::cout << name << ' ' << std::fixed << std::setprecision(4) << mean << ' ' << squares / n - mean * mean << std::defaultfloat << '\n';
}

int main()
{
    engine<std::minstd_rand0>("minstd0");
    engine<std::minstd_rand>("minstd");
    engine<std::mt19937>("mt19937");
    engine<std::mt19937_64>("mt19937_64");
    engine<std::ranlux24_base>("ranlux24_base");
    engine<std::ranlux24>("ranlux24");
    engine<std::knuth_b>("knuth_b");
    distribution("uniform int", std::uniform_int_distribution<>(1, 6));
    distribution("uniform real", std::uniform_real_distribution<>(-1, 1));
    distribution("normal", std::normal_distribution<>(10, 2));
    distribution("exponential", std::exponential_distribution<>(0.5));
    distribution("poisson", std::poisson_distribution<>(4));
    distribution("binomial", std::binomial_distribution<>(20, 0.3));
    distribution("geometric", std::geometric_distribution<>(0.25));
    distribution("gamma", std::gamma_distribution<>(2, 3));
    distribution("bernoulli", std::bernoulli_distribution(0.7));
    distribution("lognormal", std::lognormal_distribution<>(0, 0.5));
    distribution("weibull", std::weibull_distribution<>(2, 1));
    distribution("discrete", std::discrete_distribution<>({1, 2, 3, 4}));
    std::vector<double> edges{0, 1, 3, 6}, weights{1, 2, 1};
    distribution("piecewise", std::piecewise_constant_distribution<>(edges.begin(), edges.end(), weights.begin()));

    std::seed_seq seeds{1, 2, 3, 4};
    std::vector<unsigned> generated(5);
    seeds.generate(generated.begin(), generated.end());
    for (unsigned v : generated)
        std::cout << v << ' ';
    std::mt19937 e(seeds);
    std::cout << e() << '\n';
    std::vector<int> deck(20);
    std::iota(deck.begin(), deck.end(), 1);
    std::shuffle(deck.begin(), deck.end(), e);
    for (int c : deck)
        std::cout << c << ' ';
    std::cout << '\n';
    std::map<int, int> histogram;
    std::uniform_int_distribution<int> die(1, 6);
    for (int i = 0; i < 600; i++)
        histogram[die(e) + die(e)]++;
    for (auto &p : histogram)
        std::cout << p.first << ':' << p.second << ' ';
    std::cout << std::setprecision(10) << std::generate_canonical<double, 32>(e) << '\n';
    return 0;
}
