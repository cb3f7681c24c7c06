// steam: levels=O1 flags=-lrt,-lpthread
/* Timers of timer_create: how they tell that they have fired, their settings, and what is refused. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		int answer = (call);                                                               \
		printf("%s: %d, %d\n", #call, answer, errno);                                      \
	} while (0)

static volatile sig_atomic_t count;
static sem_t told;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == SI_TIMER && info->si_value.sival_int == 42 && number == SIGUSR1)
		count++;
}

static void notice(union sigval value)
{
	printf("a thread gets %d\n", value.sival_int);
	sem_post(&told);
}

static void by_signal(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec often = {{0, 2000000}, {0, 1000000}}, now;
	sigset_t blocked, before;
	timer_t timer;
	event.sigev_value.sival_int = 42;
	sigaction(SIGUSR1, &action, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	TRY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	TRY(timer_gettime(timer, &now));
	printf("%d %ld\n", (int)now.it_value.tv_sec, (long)now.it_value.tv_nsec);
	TRY(timer_settime(timer, 0, &often, 0));
	while (count < 3)
		sigsuspend(&before);
	TRY(timer_gettime(timer, &now));
	printf("%ld %d\n", (long)now.it_interval.tv_nsec, now.it_value.tv_nsec > 0);
	memset(&often, 0, sizeof often);
	TRY(timer_settime(timer, 0, &often, &now));
	printf("%ld\n", (long)now.it_interval.tv_nsec);
	TRY(timer_delete(timer));
	TRY(timer_delete(timer));
	sigprocmask(SIG_SETMASK, &before, 0);
}

static void by_waiting(void)
{
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	siginfo_t info;
	sigset_t blocked;
	timer_t timer;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, 0);
	TRY(timer_create(CLOCK_REALTIME, 0, &timer));
	TRY(timer_settime(timer, 0, &once, 0));
	printf("%d ", sigwaitinfo(&blocked, &info) == SIGALRM);
	printf("%d\n", info.si_code == SI_TIMER);
	TRY(timer_getoverrun(timer));
	/* In the past: it fires at once. */
	clock_gettime(CLOCK_REALTIME, &once.it_value);
	once.it_value.tv_sec -= 10;
	TRY(timer_settime(timer, TIMER_ABSTIME, &once, 0));
	printf("%d\n", sigwaitinfo(&blocked, &info) == SIGALRM);
	/* It fires a hundred times while the signal is blocked. */
	once.it_value.tv_sec = 0;
	once.it_value.tv_nsec = once.it_interval.tv_nsec = 100000;
	TRY(timer_settime(timer, 0, &once, 0));
	struct timespec sleep = {0, 10000000};
	nanosleep(&sleep, 0);
	printf("%d ", sigwaitinfo(&blocked, &info) == SIGALRM);
	printf("%d %d\n", info.si_overrun > 50, timer_getoverrun(timer) > 50);
	TRY(timer_delete(timer));
}

static void by_threads(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notice};
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	timer_t first, second;
	sem_init(&told, 0, 0);
	event.sigev_value.sival_int = 7;
	TRY(timer_create(CLOCK_REALTIME, &event, &first));
	event.sigev_value.sival_int = 8;
	TRY(timer_create(CLOCK_MONOTONIC, &event, &second));
	TRY(timer_settime(first, 0, &once, 0));
	sem_wait(&told);
	TRY(timer_settime(second, 0, &once, 0));
	sem_wait(&told);
	TRY(timer_delete(second));
	TRY(timer_delete(first));
}

static void to_this_thread(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2};
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	siginfo_t info;
	sigset_t blocked;
	timer_t timer;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &blocked, 0);
	event._sigev_un._tid = 99999;
	TRY(timer_create(CLOCK_REALTIME, &event, &timer));
	event._sigev_un._tid = syscall(SYS_gettid);
	TRY(timer_create(CLOCK_REALTIME, &event, &timer));
	TRY(timer_settime(timer, 0, &once, 0));
	printf("%d\n", sigwaitinfo(&blocked, &info) == SIGUSR2);
	TRY(timer_delete(timer));
}

static void refused(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
	struct itimerspec wrong = {{0, 0}, {0, 1000000000}};
	timer_t timer;
	TRY(timer_create(CLOCK_REALTIME, &event, &timer));
	TRY(timer_create(99, 0, &timer));
	TRY(timer_create(CLOCK_MONOTONIC_RAW, 0, &timer));
	event.sigev_notify = SIGEV_NONE;
	TRY(timer_create(CLOCK_REALTIME, &event, &timer));
	TRY(timer_settime(timer, 0, &wrong, 0));
	TRY(timer_settime((timer_t)77, 0, &wrong, 0));
	TRY(timer_gettime((timer_t)77, &wrong));
	TRY(timer_getoverrun((timer_t)77));
	TRY(timer_delete(timer));
}

int main(void)
{
	setvbuf(stdout, 0, _IOLBF, 0);
	by_signal();
	by_waiting();
	by_threads();
	to_this_thread();
	refused();
	return 0;
}
