// steam: levels=O1
/* Scheduling calls with their rules and errors; limits that are lowered. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		int answer = (call);                                                               \
		printf("%s: %d, %d\n", #call, answer, errno);                                      \
	} while (0)

static void policies(void)
{
	struct sched_param usual = {0}, urgent = {5};
	struct timespec slice;
	TRY(sched_get_priority_max(SCHED_FIFO));
	TRY(sched_get_priority_min(SCHED_RR));
	TRY(sched_get_priority_max(SCHED_OTHER));
	TRY(sched_get_priority_max(77));
	TRY(sched_getscheduler(0));
	TRY(sched_getscheduler(-1));
	TRY(sched_getscheduler(99999));
	TRY(sched_getparam(0, 0));
	TRY(sched_setscheduler(0, SCHED_FIFO, &usual));
	TRY(sched_setscheduler(0, 77, &usual));
	TRY(sched_setscheduler(0, SCHED_OTHER, &urgent));
	TRY(sched_setscheduler(0, SCHED_OTHER, 0));
	TRY(sched_setparam(0, &urgent));
	TRY(sched_setparam(0, &usual));
	TRY(sched_setparam(99999, &usual));
	TRY(sched_setscheduler(0, SCHED_BATCH, &usual));
	TRY(sched_getscheduler(0));
	TRY(sched_rr_get_interval(-1, &slice));
	TRY(sched_rr_get_interval(99999, &slice));
}

struct attributes {
	unsigned size, policy;
	unsigned long long flags;
	int nice;
	unsigned priority;
	unsigned long long runtime, deadline, period;
	unsigned least, most, later[2];
};

static int set_attributes(struct attributes *it, unsigned flags)
{
	return syscall(SYS_sched_setattr, 0, it, flags);
}

static int get_attributes(struct attributes *it, unsigned size)
{
	int answer = syscall(SYS_sched_getattr, 0, it, size, 0);
	if (answer == 0)
		printf("size %u policy %u flags %llu nice %d priority %u\n", it->size, it->policy, it->flags, it->nice,
		       it->priority);
	return answer;
}

/* In a child, for nobody can give up what it sets without privileges. */
static void attributes(void)
{
	struct attributes it = {.size = 48, .policy = SCHED_BATCH, .nice = 4};
	TRY(set_attributes(&it, 0));
	TRY(get_attributes(&it, 48));
	TRY(get_attributes(&it, 64));
	TRY(get_attributes(&it, 47));
	TRY(syscall(SYS_sched_getattr, 0, 0, 48, 0));
	TRY(syscall(SYS_sched_getattr, 0, &it, 48, 1));
	TRY(syscall(SYS_sched_getattr, -1, &it, 48, 0));
	TRY(syscall(SYS_sched_getattr, 99999, &it, 48, 0));
	TRY(getpriority(PRIO_PROCESS, 0));
	it = (struct attributes){.size = 0, .policy = SCHED_OTHER, .nice = 30};
	TRY(set_attributes(&it, 0));
	TRY(get_attributes(&it, 48));
	it = (struct attributes){.size = 48, .policy = SCHED_OTHER, .nice = 19, .priority = 1};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .policy = 77, .nice = 19};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .policy = -1, .nice = 19};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .policy = SCHED_FIFO};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 47, .nice = 19};
	TRY(set_attributes(&it, 0));
	printf("size %u\n", it.size);
	it = (struct attributes){.size = 64, .nice = 19, .later = {1}};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 64, .nice = 19};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .nice = 19, .flags = 0x80};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .nice = 19, .flags = 0x20};
	TRY(set_attributes(&it, 0));
	it = (struct attributes){.size = 48, .nice = 19};
	TRY(set_attributes(&it, 1));
	TRY(set_attributes(0, 0));
	it = (struct attributes){.size = 48, .flags = 1, .nice = 19};
	TRY(set_attributes(&it, 0));
	TRY(get_attributes(&it, 48));
	TRY(sched_getscheduler(0));
	it = (struct attributes){.size = 48, .policy = 77, .flags = 8, .nice = 19};
	TRY(set_attributes(&it, 0));
	TRY(get_attributes(&it, 48));
	it = (struct attributes){.size = 48, .policy = SCHED_BATCH, .flags = 0x11, .nice = 3};
	TRY(set_attributes(&it, 0));
	TRY(get_attributes(&it, 48));
}

static void in_child(void (*function)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		function();
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, 0, 0);
}

static void nice_values(void)
{
	TRY(getpriority(PRIO_PROCESS, 0));
	TRY(getpriority(9, 0));
	TRY(getpriority(PRIO_PROCESS, 99999));
	TRY(setpriority(PRIO_PROCESS, 0, 5));
	TRY(getpriority(PRIO_PROCESS, 0));
	TRY(setpriority(PRIO_PROCESS, 99999, 5));
	TRY(setpriority(9, 0, 5));
	TRY(nice(3));
	TRY(setpriority(PRIO_PROCESS, getpid(), 6));
	TRY(getpriority(PRIO_PROCESS, getpid()));
}

static void processors(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	TRY(sched_setaffinity(0, sizeof set, &set));
	CPU_SET(0, &set);
	TRY(sched_setaffinity(99999, sizeof set, &set));
	TRY(sched_setaffinity(0, sizeof set, &set));
	CPU_ZERO(&set);
	TRY(sched_getaffinity(0, sizeof set, &set));
	printf("%d processor: %d\n", CPU_COUNT(&set), CPU_ISSET(0, &set) != 0);
	TRY(sched_getaffinity(99999, sizeof set, &set));
	TRY(sched_getaffinity(0, 1, &set));
}

static volatile sig_atomic_t too_many;

static void too_large(int number)
{
	too_many += number == SIGXFSZ;
}

static void limits(void)
{
	struct rlimit limit;
	char text[64];
	memset(text, 'x', sizeof text);
	FILE *file = tmpfile();
	int descriptor = fileno(file), answers[8];
	signal(SIGXFSZ, too_large);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 100;
	/* Nothing is printed meanwhile: the limit holds for the output, too. */
	answers[0] = setrlimit(RLIMIT_FSIZE, &limit);
	answers[1] = write(descriptor, text, 64);
	answers[2] = write(descriptor, text, 64);
	answers[3] = write(descriptor, text, 64);
	answers[4] = ftruncate(descriptor, 50);
	answers[5] = ftruncate(descriptor, 101);
	answers[6] = pwrite(descriptor, text, 10, 95);
	answers[7] = pwrite(descriptor, text, 10, 200);
	limit.rlim_cur = limit.rlim_max;
	TRY(setrlimit(RLIMIT_FSIZE, &limit));
	for (int i = 0; i < 8; i++)
		printf("%d ", answers[i]);
	printf("with %d signals\n", too_many);
	TRY(ftruncate(descriptor, 101));
	struct rlimit wrong = {10, 5};
	TRY(setrlimit(RLIMIT_FSIZE, &wrong));
	TRY(setrlimit(77, &wrong));
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &blocked, 0);
	getrlimit(RLIMIT_SIGPENDING, &limit);
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_SIGPENDING, &limit);
	TRY(sigqueue(getpid(), SIGRTMIN, (union sigval){1}));
	fclose(file);
}

int main(void)
{
	setvbuf(stdout, 0, _IOLBF, 0);
	policies();
	in_child(attributes);
	nice_values();
	processors();
	limits();
	printf("of the first process %d\n", sched_getscheduler(1));
	return 0;
}
