// steam: levels=O1
/* mq_notify: by signal, by a thread, by nothing; who is registered, and until when. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static mqd_t queue;
static sem_t told;
static volatile int handled;

static void tell(const char *what, int answer)
{
	printf("%s: %d %d\n", what, answer, answer < 0 ? errno : 0);
	fflush(stdout);
}

static void put(void)
{
	mq_send(queue, "text", 4, 0);
}

static void take(void)
{
	char text[16];
	mq_receive(queue, text, sizeof text, 0);
}

static void handle(int signal, siginfo_t *info, void *context)
{
	(void)context;
	handled++;
	if (info->si_code != SI_MESGQ || info->si_value.sival_int != 42 || info->si_pid == 0 || signal != SIGUSR1)
		abort();
}

static void run(union sigval value)
{
	handled += value.sival_int;
	sem_post(&told);
}

int main(void)
{
	struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 16};
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	struct sigevent none = {.sigev_notify = SIGEV_NONE}, wrong = {.sigev_notify = 77};
	struct sigevent by_signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct sigevent by_thread = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = run};
	char name[40];
	snprintf(name, sizeof name, "/steam-notices-%d", getpid());
	queue = mq_open(name, O_CREAT | O_RDWR, 0600, &small);
	sigaction(SIGUSR1, &action, 0);
	by_signal.sigev_value.sival_int = 42;
	by_thread.sigev_value.sival_int = 10;

	tell("nothing to give up", mq_notify(queue, 0));
	tell("wrong kind", mq_notify(queue, &wrong));
	wrong.sigev_notify = SIGEV_SIGNAL;
	wrong.sigev_signo = 65;
	tell("wrong signal", mq_notify(queue, &wrong));
	tell("no descriptor", mq_notify(99, &none));
	tell("no queue", mq_notify(1, &none));

	tell("signal", mq_notify(queue, &by_signal));
	tell("again", mq_notify(queue, &none));
	put();
	tell("handled", handled);
	put();
	tell("once", handled);
	tell("while not empty", mq_notify(queue, &by_signal));
	put();
	tell("not told", handled);
	take();
	take();
	take();
	put();
	tell("told", handled);
	take();

	tell("none", mq_notify(queue, &none));
	tell("is registered", mq_notify(queue, &by_signal));
	put();
	take();
	tell("was told nothing", mq_notify(queue, &by_signal));
	tell("given up", mq_notify(queue, 0));
	put();
	take();
	tell("not told", handled);

	mq_notify(queue, &by_signal);
	mq_close(dup(queue));
	tell("closing any descriptor unregisters", mq_notify(queue, &by_signal));
	pid_t child = fork();
	if (child == 0) {
		tell("by another process", mq_notify(queue, 0));
		tell("refused", mq_notify(queue, &none));
		mq_close(queue);
		_exit(0);
	}
	waitpid(child, 0, 0);
	tell("still registered", mq_notify(queue, &none));
	mq_notify(queue, 0);
	child = fork();
	if (child == 0) {
		tell("child", mq_notify(queue, &none));
		_exit(0);
	}
	waitpid(child, 0, 0);
	tell("free past its end", mq_notify(queue, &by_signal));
	mq_notify(queue, 0);

	handled = 0;
	sem_init(&told, 0, 0);
	tell("thread", mq_notify(queue, &by_thread));
	tell("again", mq_notify(queue, &by_thread));
	put();
	sem_wait(&told);
	tell("ran", handled);
	take();
	tell("once more", mq_notify(queue, &by_thread));
	tell("removed", mq_notify(queue, 0));
	tell("and again", mq_notify(queue, &by_thread));
	put();
	sem_wait(&told);
	tell("ran", handled);
	mq_unlink(name);
	return 0;
}
