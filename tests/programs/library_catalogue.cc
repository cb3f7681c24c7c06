// steam: std=c++17 stdin=@fixtures/library.txt levels=O0,O2,Os
// A small application as people write them: a command interpreter over a library catalogue, with classes, indexes, errors and reports.
#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class library_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct not_found : library_error {
    explicit not_found(const std::string &what) : library_error("not found: " + what) {}
};

class medium {
    std::string title_;
    int year_;

  protected:
    medium(std::string title, int year) : title_(std::move(title)), year_(year) {}

  public:
    virtual ~medium() = default;
    const std::string &title() const { return title_; }
    int year() const { return year_; }
    virtual int loan_days() const = 0;
    virtual std::string kind() const = 0;
    virtual double fine(int late) const { return 0.25 * late; }
};
class book final : public medium {
    std::string author;

  public:
    book(std::string t, int y, std::string a) : medium(std::move(t), y), author(std::move(a)) {}
    int loan_days() const override { return year() > 2000 ? 14 : 28; }
    std::string kind() const override { return "book by " + author; }
};
class film final : public medium {
    int minutes;

  public:
    film(std::string t, int y, int m) : medium(std::move(t), y), minutes(m) {}
    int loan_days() const override { return 7; }
    std::string kind() const override { return std::to_string(minutes) + " minute film"; }
    double fine(int late) const override { return std::min(10.0, 1.0 * late); }
};

class library {
    std::map<int, std::unique_ptr<medium>> catalogue;
    std::map<std::string, std::set<int>> words;
    std::map<int, std::pair<std::string, int>> loans;
    std::map<std::string, double> debts;
    int next = 1, today = 0;

    medium &find(int id) const
    {
        auto it = catalogue.find(id);
        if (it == catalogue.end())
            throw not_found("item " + std::to_string(id));
        return *it->second;
    }

  public:
    int add(std::unique_ptr<medium> m)
    {
        std::istringstream title(m->title());
        for (std::string w; title >> w;) {
            std::transform(w.begin(), w.end(), w.begin(), ::tolower);
            words[w].insert(next);
        }
        catalogue.emplace(next, std::move(m));
        return next++;
    }
    void lend(int id, const std::string &who)
    {
        medium &m = find(id);
        if (auto it = loans.find(id); it != loans.end())
            throw library_error(m.title() + " is lent to " + it->second.first);
        if (debts[who] > 5)
            throw library_error(who + " owes too much");
        loans[id] = {who, today + m.loan_days()};
    }
    double give_back(int id)
    {
        medium &m = find(id);
        auto it = loans.find(id);
        if (it == loans.end())
            throw library_error(m.title() + " is not lent");
        auto [who, due] = it->second;
        loans.erase(it);
        double fine = today > due ? m.fine(today - due) : 0;
        debts[who] += fine;
        return fine;
    }
    std::vector<int> search(const std::vector<std::string> &terms) const
    {
        std::set<int> hits;
        bool first = true;
        for (auto &t : terms) {
            auto it = words.find(t);
            std::set<int> found = it == words.end() ? std::set<int>() : it->second, both;
            std::set_intersection(hits.begin(), hits.end(), found.begin(), found.end(), std::inserter(both, both.end()));
            hits = first ? found : both;
            first = false;
        }
        return {hits.begin(), hits.end()};
    }
    void pass(int days) { today += days; }
    void report(std::ostream &out) const
    {
        out << "day " << today << '\n' << std::left;
        for (auto &[id, m] : catalogue) {
            out << std::setw(3) << id << std::setw(26) << m->title() << std::setw(6) << m->year() << std::setw(26) << m->kind();
            auto it = loans.find(id);
            out << (it == loans.end() ? "here" : it->second.first + (it->second.second < today ? " LATE" : "")) << '\n';
        }
        for (auto &[who, debt] : debts)
            if (debt > 0)
                out << who << " owes " << std::fixed << std::setprecision(2) << debt << std::defaultfloat << '\n';
    }
};

int main()
{
    library l;
    using command = std::function<void(std::istringstream &)>;
    auto rest = [](std::istringstream &in) {
        std::string text;
        std::getline(in >> std::ws, text);
        return text;
    };
    std::map<std::string, command> commands{
        {"book", [&](auto &in) { int y; std::string a; in >> y >> a; std::cout << "added " << l.add(std::make_unique<book>(rest(in), y, a)) << '\n'; }},
        {"film", [&](auto &in) { int y, m; in >> y >> m; std::cout << "added " << l.add(std::make_unique<film>(rest(in), y, m)) << '\n'; }},
        {"lend", [&](auto &in) { int id; std::string who; if (!(in >> id >> who)) throw std::invalid_argument("lend ID NAME"); l.lend(id, who); std::cout << "lent\n"; }},
        {"back", [&](auto &in) { int id = 0; in >> id; std::cout << "fine " << l.give_back(id) << '\n'; }},
        {"find", [&](auto &in) { std::vector<std::string> t; for (std::string w; in >> w;) t.push_back(w); for (int id : l.search(t)) std::cout << id << ' '; std::cout << "found\n"; }},
        {"wait", [&](auto &in) { int d = 0; in >> d; l.pass(d); }},
        {"report", [&](auto &) { l.report(std::cout); }}};
    int number = 0, errors = 0;
    for (std::string line; std::getline(std::cin, line);) {
        number++;
        std::istringstream in(line);
        std::string word;
        if (!(in >> word) || word[0] == '#')
            continue;
        try {
            auto it = commands.find(word);
            if (it == commands.end())
                throw std::invalid_argument("unknown command " + word);
            it->second(in);
        } catch (const library_error &e) {
            std::cout << "line " << number << ": " << e.what() << '\n', errors++;
        } catch (const std::invalid_argument &e) {
            std::cerr << "line " << number << ": usage: " << e.what() << '\n', errors++;
        }
    }
    std::cout << errors << " errors\n";
    return 0;
}
