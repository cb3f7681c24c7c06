/* Clocks go forward, sleeping takes time. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include "call.h"

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(void)
{
    double start = now(CLOCK_MONOTONIC);
    struct timespec little = {0, 30000000}, bad = {0, 2000000000}, resolution;
    CALL(nanosleep(&little, NULL));
    CALL(nanosleep(&bad, NULL));
    double slept = now(CLOCK_MONOTONIC) - start;
    printf("slept enough %d, not too long %d\n", slept >= 0.03, slept < 10);
    CALL(clock_nanosleep(CLOCK_REALTIME, 0, &little, NULL));
    struct timespec later;
    clock_gettime(CLOCK_MONOTONIC, &later);
    later.tv_nsec += 1000000;
    if (later.tv_nsec >= 1000000000) {
        later.tv_nsec -= 1000000000;
        later.tv_sec++;
    }
    CALL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL));
    CALL(clock_getres(CLOCK_MONOTONIC, &resolution));
    printf("%ld %ld\n", (long)resolution.tv_sec, (long)resolution.tv_nsec);
    CALL(clock_gettime(99, &resolution));
    time_t seconds = time(NULL);
    struct timeval day;
    CALL(gettimeofday(&day, NULL));
    printf("same day %d\n", labs(day.tv_sec - seconds) < 5);
    printf("after 2020 %d\n", gmtime(&seconds)->tm_year >= 120);
    CALL(usleep(1000));
    CALL(sleep(0));
    clock_t before = clock();
    for (volatile int i = 0; i < 3000000; i++)
        ;
    printf("the CPU was busy %d\n", clock() > before);
    while (now(CLOCK_PROCESS_CPUTIME_ID) <= 0.02)
        ;
    struct rusage usage;
    CALL(getrusage(RUSAGE_SELF, &usage));
    printf("used %d\n", usage.ru_utime.tv_sec >= 0 && usage.ru_utime.tv_usec < 1000000);
    struct tms ticks;
    printf("ticks %d\n", times(&ticks) != (clock_t)-1);
    struct itimerval timer = {{0, 0}, {100, 0}}, left;
    CALL(setitimer(ITIMER_REAL, &timer, NULL));
    CALL(getitimer(ITIMER_REAL, &left));
    printf("left %d\n", left.it_value.tv_sec >= 99 || left.it_value.tv_sec == 100);
    CALL(alarm(0));
    CALL(alarm(10));
    CALL(setitimer(7, &timer, NULL));
    return 0;
}
