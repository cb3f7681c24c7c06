// steam: std=c++20 levels=O0,O2,Os
// chrono without clocks: durations, ratios, casts, rounding, literals, time points on a made-up clock, calendar types of C++20.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <ratio>

using namespace std::chrono;
using namespace std::chrono_literals;

struct fake_clock {
    using duration = milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<fake_clock>;
    static constexpr bool is_steady = true;
    static rep current;
    static time_point now() { return time_point(duration(current += 1500)); }
};
fake_clock::rep fake_clock::current = 0;

static void clock_face(seconds s)
{
    hh_mm_ss parts(s);
    std::printf("%s%02d:%02d:%02d ", parts.is_negative() ? "-" : "", int(parts.hours().count()), int(parts.minutes().count()), int(parts.seconds().count()));
}
static void date(year_month_day d) { std::printf("%d-%02u-%02u%s ", int(d.year()), unsigned(d.month()), unsigned(d.day()), d.ok() ? "" : "!"); }

int main()
{
    auto total = 1h + 23min + 45s + 678ms;
    std::cout << total.count() << ' ' << duration_cast<minutes>(total).count() << ' ' << floor<hours>(total).count() << ' ' << ceil<hours>(total).count() << ' ' << round<minutes>(total).count() << '\n';
    std::cout << duration<double, std::ratio<3600>>(total).count() << ' ' << (total % 1h).count() << ' ' << total / 7ms << ' ' << (total > 80min) << '\n';
    using frames = duration<long, std::ratio<1, 24>>;
    using fortnights = duration<double, std::ratio<14 * 86400>>;
    std::cout << duration_cast<frames>(2s + 500ms).count() << ' ' << fortnights(1h * 24 * 7).count() << ' ' << duration_cast<nanoseconds>(frames(5)).count() << '\n';
    std::cout << abs(-5s).count() << ' ' << (-1500ms).count() << ' ' << floor<seconds>(-1500ms).count() << ' ' << round<seconds>(-1500ms).count() << ' ' << round<seconds>(2500ms).count() << '\n';
    using r = std::ratio_add<std::ratio<1, 3>, std::ratio<1, 6>>;
    std::cout << r::num << '/' << r::den << ' ' << std::ratio_less_v<std::ratio<1, 3>, std::ratio<2, 5>> << ' ' << std::mega::num << '\n';

    auto start = fake_clock::now(), later = fake_clock::now();
    later += 250ms;
    std::cout << (later - start).count() << ' ' << (start < later) << ' ' << time_point_cast<seconds>(later).time_since_epoch().count() << '\n';
    for (auto s : {0s, 59s, 3661s, 86399s, -3661s})
        clock_face(s);
    std::puts("");

    date(2024y / February / 29d);
    date(2023y / February / 29d);
    date(sys_days(2024y / February / last));
    date(sys_days(1970y / January / 1d) + days(20000));
    date(sys_days(2024y / January / 31d) + months(0).count() * days(1));
    date((2024y / January / 31d) + months(1));
    date((2024y / February / 29d) + years(1));
    date(year_month_day(sys_days(2024y / November / Thursday[4])));
    date(year_month_day(sys_days(2024y / May / Monday[last])));
    std::puts("");
    weekday day(sys_days(2000y / January / 1));
    std::printf("%u %u %d %d %d\n", day.c_encoding(), (day + days(10)).iso_encoding(), (year(1900).is_leap()), year(2000).is_leap(), int((Sunday - Tuesday).count()));
    int fridays = 0;
    for (auto y = 2020y; y < 2030y; ++y)
        for (unsigned m = 1; m <= 12; m++)
            fridays += weekday(sys_days(y / month(m) / 13)) == Friday;
    std::printf("%d Fridays the 13th, %d days between\n", fridays, int((sys_days(2024y / 12 / 25) - sys_days(2024y / 2 / 29)).count()));
    auto noon = sys_days(2001y / September / 9d) + 1h + 46min + 40s;
    std::printf("%lld\n", static_cast<long long>(noon.time_since_epoch().count()));
    year_month_weekday third = 2024y / October / Wednesday[3];
    std::printf("%u %d\n", third.index(), int((2024y / December - 2022y / March).count()));
    return 0;
}
