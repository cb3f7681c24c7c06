// steam: levels=O1 flags=-lrt,-lpthread
/* Clocks of CPU time: each thread has its own, which begins near 0 and stands still while others run; the clock of
 * the process counts them all. What comes with the signal of a timer is what timer_getoverrun tells. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec now;
	errno = 0;
	if (clock_gettime(clock, &now) != 0) {
		printf("refused: %d\n", errno == EINVAL);
		return -1;
	}
	return now.tv_sec + now.tv_nsec / 1e9;
}

static double used(int who)
{
	struct rusage usage;
	getrusage(who, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Until it is told apart from a process that has hardly begun. */
static void work(void)
{
	double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
	while (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin < 0.01)
		;
}

static pthread_barrier_t barrier;

static void *thread(void *first)
{
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	printf("near 0: %d\n", begin >= 0 && begin < 0.005);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	printf("of another thread: %d\n", seconds(*(clockid_t *)first) > 0.005);
	return NULL;
}

static void threads(void)
{
	pthread_t other;
	clockid_t first, second;
	work();
	printf("the process: %d\n", seconds(CLOCK_PROCESS_CPUTIME_ID) > 0.005);
	printf("as usage: %d %d\n", used(RUSAGE_SELF) > 0.005, used(RUSAGE_THREAD) > 0.005);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_getcpuclockid(pthread_self(), &first);
	pthread_create(&other, NULL, thread, &first);
	pthread_getcpuclockid(other, &second);
	pthread_barrier_wait(&barrier);
	double before = seconds(second), own = seconds(CLOCK_THREAD_CPUTIME_ID);
	work();
	printf("it waits: %d\n", seconds(second) - before < 0.005);
	printf("this one does not: %d\n", seconds(CLOCK_THREAD_CPUTIME_ID) - own > 0.005);
	printf("all: %d\n", seconds(CLOCK_PROCESS_CPUTIME_ID) >= seconds(CLOCK_THREAD_CPUTIME_ID));
	pthread_barrier_wait(&barrier);
	pthread_join(other, NULL);
	seconds(second);
	printf("the leader by its number: %d\n", seconds((clockid_t)(~(unsigned)getpid() << 3 | 6)) > 0.005);
	seconds((clockid_t)(~99999u << 3 | 2));
	seconds((clockid_t)(~99999u << 3 | 6));
}

static void processes(void)
{
	clockid_t clock;
	int ends[2];
	char byte;
	if (pipe(ends) != 0)
		return;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		double begin = seconds(CLOCK_PROCESS_CPUTIME_ID), own = seconds(CLOCK_THREAD_CPUTIME_ID);
		printf("a child begins anew: %d %d\n", begin < 0.005, own < 0.005);
		fflush(stdout);
		close(ends[1]);
		_exit(read(ends[0], &byte, 1));
	}
	clock_getcpuclockid(child, &clock);
	printf("it has used little: %d\n", seconds(clock) < 0.005);
	close(ends[0]);
	close(ends[1]);
	waitpid(child, NULL, 0);
	seconds(clock);
}

static void overruns(void)
{
	struct itimerspec often = {{0, 100000}, {0, 100000}}, never = {{0, 0}, {0, 0}};
	struct timespec sleep = {0, 10000000};
	siginfo_t info;
	sigset_t blocked;
	timer_t timer;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, 0);
	timer_create(CLOCK_MONOTONIC, 0, &timer);
	timer_settime(timer, 0, &often, 0);
	nanosleep(&sleep, 0);
	printf("nobody has taken it: %d\n", timer_getoverrun(timer));
	sigwaitinfo(&blocked, &info);
	printf("what came with it: %d %d\n", info.si_overrun > 50,
	       info.si_overrun == timer_getoverrun(timer));
	nanosleep(&sleep, 0);
	printf("the old one still: %d\n", info.si_overrun == timer_getoverrun(timer));
	sigwaitinfo(&blocked, &info);
	printf("the new one: %d\n", info.si_overrun == timer_getoverrun(timer));
	timer_settime(timer, 0, &never, 0);
	printf("from the beginning: %d\n", timer_getoverrun(timer));
	timer_delete(timer);
}

int main(void)
{
	threads();
	processes();
	overruns();
	return 0;
}
