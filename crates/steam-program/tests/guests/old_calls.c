/* Calls by number that today's libraries no longer make. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "call.h"

struct old_stat {
    unsigned long device, inode;
    unsigned short mode, links, user, group;
    unsigned long represents, size, block, blocks, times[8];
};

static volatile int caught;
static void handler(int signal) { caught = signal; }

int main(void)
{
    struct old_stat status;
    char text[300] = "";
    int fd = syscall(SYS_open, "/etc/passwd", O_RDONLY);
    CALL(syscall(SYS_stat, "/etc/passwd", &status));
    printf("%o %d\n", status.mode, status.size > 0);
    CALL(syscall(SYS_fstat, fd, &status));
    CALL(syscall(SYS_lstat, "/none", &status));
    CALL(syscall(SYS_time, NULL) > 0);
    unsigned long map[6] = {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0};
    char *page = (char *)syscall(SYS_mmap, map);
    page[5] = 1;
    CALL(page[5]);
    unsigned old = 0, set = 1 << (SIGUSR1 - 1);
    CALL(syscall(SYS_sigprocmask, SIG_BLOCK, &set, &old));
    CALL(syscall(SYS_signal, SIGUSR1, handler));
    kill(getpid(), SIGUSR1);
    CALL(syscall(SYS_sigpending, &old));
    printf("%x %d\n", old, caught);
    CALL(syscall(SYS_sigprocmask, SIG_UNBLOCK, &set, NULL));
    printf("%d\n", caught);
    unsigned action[4] = {(unsigned)handler, 0, 0, 0}, before[4];
    CALL(syscall(SYS_sigaction, SIGUSR2, action, before));
    raise(SIGUSR2);
    printf("%d %u\n", caught, before[0]);
    CALL(syscall(SYS_getuid) == (getuid() & 0xffff));
    CALL(syscall(SYS_getdents, syscall(SYS_open, "/etc", O_RDONLY), text, sizeof text) > 0);
    long long place = 0;
    CALL(syscall(SYS__llseek, fd, 0, 5, &place, SEEK_SET));
    printf("%d\n", (int)place);
    CALL(syscall(SYS_readlink, "/proc/self/cwd", text, sizeof text) > 0);
    CALL(syscall(SYS_access, "/none", F_OK));
    CALL(syscall(SYS_nice, 0));
    CALL(syscall(SYS_personality, -1));
    CALL(syscall(SYS_waitpid, -1, NULL, 0));
    CALL(syscall(SYS_alarm, 0));
    CALL(syscall(SYS_creat, "/none/file", 0600));
    CALL(syscall(SYS_ugetrlimit, 99, text));
    CALL(syscall(SYS_rt_sigaction, SIGUSR1, NULL, NULL, 4));
    CALL(syscall(SYS_statfs, "/", text));
    return 0;
}
