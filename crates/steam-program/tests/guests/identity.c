/* Who and where the process is, limits, randomness: relations, for the values are ours. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "call.h"

int main(int argc, char **argv)
{
    uid_t real, effective, saved;
    printf("%d %d\n", getpid() == gettid(), getppid() != getpid());
    CALL(getresuid(&real, &effective, &saved));
    printf("%d %d\n", real == getuid() && effective == geteuid() && saved == real, getgid() == getegid());
    CALL(setuid(getuid()));
    CALL(setreuid(-1, -1));
    CALL(getpgid(0) == getpgrp());
    CALL(getpgid(999999));
    CALL(getgroups(0, NULL) >= 0);
    struct utsname name;
    CALL(uname(&name));
    puts(name.sysname);
    CALL(uname((void *)1));
    struct rlimit limit;
    CALL(getrlimit(RLIMIT_STACK, &limit));
    printf("%d\n", limit.rlim_cur == 8 << 20);
    limit.rlim_cur = 4 << 20;
    CALL(setrlimit(RLIMIT_STACK, &limit));
    CALL(getrlimit(RLIMIT_STACK, &limit));
    printf("%d\n", limit.rlim_cur == 4 << 20);
    CALL(getrlimit(99, &limit));
    struct sysinfo info;
    CALL(sysinfo(&info));
    printf("%d\n", info.totalram > 0 && info.freeram <= info.totalram);
    cpu_set_t set;
    CALL(sched_getaffinity(0, sizeof set, &set));
    printf("%d\n", CPU_COUNT(&set) > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0);
    CALL(sched_getscheduler(0));
    CALL(sched_get_priority_max(SCHED_FIFO));
    CALL(sched_yield());
    CALL(getpriority(PRIO_PROCESS, 0) > 19); /* the value is the caller's own */
    char bytes[64] = "", comm[17] = "";
    CALL(getrandom(bytes, sizeof bytes, 0));
    int zeros = 0;
    for (int i = 0; i < 64; i++)
        zeros += bytes[i] == 0;
    printf("%d\n", zeros < 20);
    CALL(getrandom((void *)1, 64, 0));
    CALL(prctl(PR_SET_NAME, "a name that is too long"));
    CALL(prctl(PR_GET_NAME, comm));
    puts(comm);
    CALL(prctl(12345));
    char path[4096] = "";
    CALL(readlink("/proc/self/exe", path, sizeof path) == (int)strlen(realpath(argv[0], NULL)));
    CALL(strcmp(path, realpath(argv[0], NULL)));
    printf("%ld %d\n", sysconf(_SC_PAGESIZE), getpagesize());
    CALL(gethostname(path, sizeof path));
    return 0;
}
