// steam: levels=O1
/* What a process finds of itself in /proc: its threads, its open files, its numbers. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;
	for (struct dirent *entry; (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

static void numbers(void)
{
	char name[40], comm[40], state, path[40];
	int number, parent;
	snprintf(path, sizeof path, "/proc/%d/stat", getpid());
	FILE *file = fopen(path, "r");
	if (fscanf(file, "%d (%39[^)]) %c %d", &number, name, &state, &parent) != 4)
		puts("not the form of stat");
	int fields = 4;
	for (char field[40]; fscanf(file, "%39s", field) == 1;)
		fields++;
	fclose(file);
	printf("%d %d %c %d\n", number == getpid(), parent == getppid(), state, fields);
	file = fopen("/proc/self/comm", "r");
	printf("%d\n", fscanf(file, "%39[^\n]", comm) == 1 && !strcmp(comm, name));
	fclose(file);
}

static int told(const char *key)
{
	char line[200];
	int value = -1;
	FILE *file = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, key, strlen(key)))
			value = atoi(line + strlen(key));
	fclose(file);
	return value;
}

static pthread_barrier_t barrier;

static void *live(void *nothing)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return nothing;
}

static void *count(void *nothing)
{
	printf("%d threads, %d\n", entries("/proc/self/task"), told("Threads:"));
	return nothing;
}

int main(int argc, char **argv)
{
	char text[100] = "", again[200];
	if (argc > 1) {
		FILE *file = fopen("/proc/self/cmdline", "r");
		size_t length = fread(again, 1, sizeof again, file);
		printf("%zu %s\n", length - strlen(argv[0]), again + strlen(argv[0]) + 1);
		return 0;
	}
	numbers();
	printf("%d %d %d\n", told("Pid:") == getpid(), told("PPid:") == getppid(), told("Threads:"));
	int before = entries("/proc/self/fd");
	int file = open("/dev/null", O_RDONLY);
	printf("%d more\n", entries("/proc/self/fd") - before);
	close(file);
	printf("%d thread\n", entries("/proc/self/task"));
	pthread_barrier_init(&barrier, 0, 2);
	pthread_t thread;
	pthread_create(&thread, 0, live, 0);
	pthread_barrier_wait(&barrier);
	count(0);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, 0);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		numbers();
		fflush(stdout);
		execl("/proc/self/exe", argv[0], "other", NULL);
	}
	waitpid(child, 0, 0);
	FILE *kernel = fopen("/proc/sys/kernel/ostype", "r");
	printf("%s", fgets(text, sizeof text, kernel));
	fclose(kernel);
	FILE *memory = fopen("/proc/meminfo", "r");
	printf("%.9s\n", fgets(text, sizeof text, memory));
	fclose(memory);
}
