// steam: levels=O1
/* System calls with arguments that Linux refuses, and by which error number; then those that are right. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		int answer = (call);                                                               \
		printf("%s: %s, %d\n", #call, answer < 0 ? "fails" : "works", errno);              \
	} while (0)
#define MAP(...) (mmap(__VA_ARGS__) == MAP_FAILED ? -1 : 0)
#define REMAP(...) (mremap(__VA_ARGS__) == MAP_FAILED ? -1 : 0)

enum { PAGE = 4096 };

static void files(int reader, int writer)
{
	struct stat status;
	TRY(fsync(reader));
	TRY(fdatasync(writer));
	TRY(fsync(99));
	TRY(MAP(0, PAGE, PROT_READ, MAP_PRIVATE, reader, 0));
	TRY(MAP(0, PAGE, PROT_READ, MAP_SHARED, writer, 0));
	TRY(MAP(0, PAGE, PROT_READ, MAP_PRIVATE, 99, 0));
	TRY(MAP(0, PAGE, PROT_READ, MAP_PRIVATE, open("/", O_RDONLY), 0));
	TRY(fstatat(reader, "", &status, 0));
	TRY(fstatat(reader, "", &status, AT_EMPTY_PATH));
	TRY(fstatat(reader, "x", &status, 0));
	TRY(fstatat(AT_FDCWD, "/", &status, 0x8000));
	TRY(faccessat(reader, "", 0, 0));
	TRY(openat(AT_FDCWD, "", O_RDONLY));
}

static void clocks(void)
{
	struct timespec time = {0, 0};
	TRY(clock_gettime(-1, &time));
	TRY(clock_gettime(-2, &time));
	TRY(clock_gettime(99, &time));
	TRY(clock_getres(-1, &time));
	TRY(clock_settime(CLOCK_MONOTONIC, &time));
	printf("%d", clock_nanosleep(-1, 0, &time, 0));
	printf(" %d", clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &time, 0));
	printf(" %d\n", clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &time, 0));
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_mutex_lock(&mutex);
	printf("%d", pthread_cond_clockwait(&condition, &mutex, 99, &time));
	printf(" %d", pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &time));
	printf(" %d\n", pthread_mutex_clocklock(&mutex, 99, &time));
	pthread_mutex_unlock(&mutex);
}

static void memory(void)
{
	char *block = mmap(0, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *other = mmap(0, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *shared = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	munmap(block + 4 * PAGE, PAGE);
	TRY(mlockall(0x1000));
	TRY(mlockall(0));
	TRY(mlockall(MCL_ONFAULT));
	TRY(mlock(block + 3 * PAGE, 2 * PAGE));
	TRY(munlock(block + 4 * PAGE, PAGE));
	TRY(mlock2(block, PAGE, 2));
	TRY(msync(block, PAGE, MS_SYNC | MS_ASYNC));
	TRY(msync(block + 1, PAGE, MS_SYNC));
	TRY(msync(block, PAGE, 0x100));
	TRY(msync(block, PAGE, MS_SYNC));
	TRY(mprotect(block, PAGE, 0x100));
	TRY(REMAP(block, PAGE, 0, 0));
	TRY(REMAP(block + 1, PAGE, 2 * PAGE, MREMAP_MAYMOVE));
	TRY(REMAP(block, PAGE, 20 * PAGE, 0));
	TRY(REMAP(block, 6 * PAGE, 20 * PAGE, MREMAP_MAYMOVE));
	TRY(REMAP(block, PAGE, PAGE, 8));
	TRY(REMAP(block, PAGE, PAGE, MREMAP_FIXED, other));
	TRY(REMAP(block, PAGE, PAGE, MREMAP_FIXED | MREMAP_MAYMOVE, block));
	TRY(REMAP(block, PAGE, PAGE, MREMAP_FIXED | MREMAP_MAYMOVE, other + 1));
	TRY(REMAP(block, PAGE, 0xfffff000, MREMAP_MAYMOVE));
	TRY(REMAP(block, 0, PAGE, MREMAP_MAYMOVE));
	strcpy(block, "first");
	strcpy(block + PAGE, "second");
	char *moved = mremap(block, 2 * PAGE, 3 * PAGE, MREMAP_FIXED | MREMAP_MAYMOVE, other + PAGE);
	printf("%d %s %s %d\n", moved == other + PAGE, moved, moved + PAGE, moved[2 * PAGE]);
	strcpy(shared, "kept");
	TRY(madvise(shared, PAGE, MADV_DONTNEED));
	printf("%s\n", shared);
}

static void times_of_children(void)
{
	struct tms used;
	struct rusage usage;
	for (volatile int i = 0; i < 20000000; i++)
		;
	fflush(stdout);
	if (fork() == 0) {
		times(&used);
		printf("a child begins with %d\n", (int)(used.tms_utime + used.tms_cutime) / 4);
		exit(0);
	}
	wait(0);
	TRY(getrusage(77, &usage));
	TRY(getrusage(RUSAGE_CHILDREN, &usage));
}

int main(void)
{
	int ends[2];
	setvbuf(stdout, 0, _IOLBF, 0);
	if (pipe(ends) != 0)
		return 1;
	files(ends[0], ends[1]);
	clocks();
	memory();
	times_of_children();
	return 0;
}
