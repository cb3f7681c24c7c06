// steam: levels=O1 flags=-lpthread
/* Mutexes that inherit priorities, and a program that is run beside other threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t mutex;
static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mutex);
		int before = count;
		usleep(100);
		count = before + 1;
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void *fail(void *unused)
{
	struct timespec past = {1, 0};
	printf("%d %d\n", pthread_mutex_trylock(&mutex), pthread_mutex_timedlock(&mutex, &past));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attributes;
	pthread_t threads[3];
	pid_t child;
	int status;
	if (argc > 1) {
		printf("child %s\n", argv[1]);
		return 3;
	}
	setvbuf(stdout, 0, _IOLBF, 0);
	pthread_mutexattr_init(&attributes);
	printf("%d\n", pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
	printf("%d\n", pthread_mutex_init(&mutex, &attributes));
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, add, 0);
	char *arguments[] = {argv[0], "again", 0};
	int spawned = posix_spawn(&child, "/proc/self/exe", 0, 0, arguments, environ);
	waitpid(child, &status, 0);
	printf("%d\n", spawned);
	printf("%d\n", WEXITSTATUS(status));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	printf("%d\n", count);
	pthread_mutex_lock(&mutex);
	pthread_create(&threads[0], 0, fail, 0);
	pthread_join(threads[0], 0);
	pthread_mutex_unlock(&mutex);
	printf("%d %d\n", pthread_mutex_trylock(&mutex), pthread_mutex_destroy(&mutex));
	return 0;
}
