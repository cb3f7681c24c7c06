// steam: levels=O1
/* Memory that is locked, with its limit; limits of memory and of the stack that are lowered; private copies of a
   file that are thrown away; what the heap tells of itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define TRY(call)                                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		long answer = (long)(call);                                                        \
		printf("%s: %ld, %d\n", #call, answer, errno);                                     \
	} while (0)

static char *map(int pages)
{
	return mmap(0, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void limit(int kind, rlim_t bytes)
{
	struct rlimit both = {bytes, bytes};
	if (setrlimit(kind, &both))
		perror("setrlimit");
}

static void locked(void)
{
	/* Who may do everything has no limit. */
	if (setresuid(1000, 1000, 1000))
		perror("setresuid");
	limit(RLIMIT_MEMLOCK, 4 * PAGE);
	char *m = map(8);
	TRY(mlock(m, 4 * PAGE));
	TRY(mlock(m + 4 * PAGE, 1));
	TRY(mlock(m, 2 * PAGE));
	TRY(madvise(m, PAGE, MADV_DONTNEED));
	TRY(msync(m, PAGE, MS_INVALIDATE));
	TRY(munlock(m, 2 * PAGE));
	TRY(madvise(m, PAGE, MADV_DONTNEED));
	TRY(mlock2(m + 4 * PAGE, PAGE, MLOCK_ONFAULT));
	TRY(mlock2(m + 4 * PAGE, PAGE, 7));
	TRY(mmap(0, 2 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0) == MAP_FAILED);
	TRY(munmap(m, 8 * PAGE));
	m = map(8);
	TRY(mlock(m, 4 * PAGE));
	TRY(mlock(m, 0));
	munmap(m, 8 * PAGE);
	TRY(mlock(m, PAGE));
	TRY(munlock(m, PAGE));
	TRY(mlockall(0));
	TRY(mlockall(MCL_ONFAULT));
	TRY(mlockall(0x1000));
	TRY(mlockall(MCL_FUTURE));
	TRY(mmap(0, 5 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	TRY(munlockall());
	m = map(5);
	TRY(m == MAP_FAILED);
	limit(RLIMIT_MEMLOCK, 0);
	TRY(mlock(m, PAGE));
	TRY(mlockall(MCL_CURRENT));
	fflush(stdout);
}

static void private_copy(void)
{
	char bytes[2 * PAGE], name[] = "/tmp/steam_copy_XXXXXX";
	memset(bytes, 42, sizeof bytes);
	int file = mkstemp(name);
	if (write(file, bytes, sizeof bytes) != sizeof bytes)
		perror("write");
	char *m = mmap(0, sizeof bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	close(file);
	unlink(name);
	m[0] = 7;
	m[PAGE] = 9;
	TRY(madvise(m, PAGE, MADV_DONTNEED));
	printf("%d %d\n", m[0], m[PAGE]);
	m = mremap(m + PAGE, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, map(1));
	printf("%d\n", m[0]);
	TRY(madvise(m, PAGE, MADV_DONTNEED));
	printf("%d\n", m[0]);
	file = open("/proc/self/exe", O_RDONLY);
	m = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	m[1] = 'x';
	TRY(madvise(m, PAGE, MADV_DONTNEED));
	printf("%.3s\n", m + 1);
}

static void heap(void)
{
	struct mallinfo2 before = mallinfo2();
	char *volatile small = malloc(10000), *volatile large = malloc(1000000);
	struct mallinfo2 with = mallinfo2();
	free(small);
	free(large);
	struct mallinfo2 after = mallinfo2();
	printf("%d %d %d\n", with.uordblks >= before.uordblks + 10000,
	       after.uordblks == before.uordblks, with.arena == with.uordblks + with.fordblks);
	printf("%zu %d\n", with.hblks - before.hblks, with.hblkhd >= before.hblkhd + 1000000);
	printf("%d\n", after.hblkhd == before.hblkhd);
}

static int deep(int depth)
{
	volatile char room[1 << 16];
	room[0] = depth;
	return depth ? deep(depth - 1) + (room[0] == (char)depth) : 0;
}

static void memory_limits(void)
{
	limit(RLIMIT_AS, 256 << 20);
	TRY(malloc(300 << 20) == 0);
	TRY(mmap(0, 300 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	char *volatile some = malloc(1 << 20);
	TRY(some != 0);
	limit(RLIMIT_DATA, 128 << 20);
	TRY(malloc(200 << 20) == 0);
	TRY(sbrk(200 << 20) == (void *)-1);
	some = mmap(0, 150 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TRY(some != MAP_FAILED);
	fflush(stdout);
}

static void stack_limits(void)
{
	struct rlimit usual;
	getrlimit(RLIMIT_STACK, &usual);
	usual.rlim_cur = 64 << 20;
	setrlimit(RLIMIT_STACK, &usual);
	printf("deep: %d\n", deep(500));
	fflush(stdout);
}

static void apart(void (*part)(void))
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		part();
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("ended with %d\n", status);
}

int main(void)
{
	apart(locked);
	private_copy();
	heap();
	apart(memory_limits);
	apart(stack_limits);
}
