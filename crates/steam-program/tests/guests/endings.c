/* One case per way to end; the argument says which. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int ends[2] __attribute__((aligned(16)));

static void *crossing(void *unused)
{
    pthread_mutex_lock(&second);
    usleep(1000);
    pthread_mutex_lock(&first);
    return unused;
}

static void *outliving(void *unused)
{
    usleep(1000);
    syscall(SYS_exit, 3);
    return unused;
}

/* Returns to where no code is. */
static __attribute__((noinline)) void astray(void)
{
    __asm__ volatile("push $0x33323130; ret");
}

static void handler(int signal) { _exit(99); }

int main(int argc, char **argv)
{
    const char *which = argv[1];
    char *block = malloc(10);
    pthread_t thread;
    memset(block, 'x', 10);
    if (!strcmp(which, "request")) /* nopl 'S' 'T' 99 0(%eax) */
        __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x53, 0x54, 99, 0");
    if (!strcmp(which, "false request"))
        __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x53, 0x54, 1, 0" : : "c"(0), "d"("left == right"));
    if (!strcmp(which, "wordless request"))
        __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x53, 0x54, 1, 0" : : "c"(0), "d"(0));
    if (!strcmp(which, "true request"))
        __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x53, 0x54, 1, 0" : : "c"(1));
    if (!strcmp(which, "large")) {
        void *volatile large = malloc(0x7ff00000);
        exit(large != NULL);
    }
    if (!strcmp(which, "many large"))
        for (int i = 0; i < 18; i++)
            if (!malloc(100 << 20))
                exit(0);
    if (!strcmp(which, "many mappings"))
        for (int i = 0; i < 30; i++)
            if (mmap(NULL, 100 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
                exit(0);
    if (!strcmp(which, "break"))
        exit(brk((char *)sbrk(0) + 0x80000000u) == 0);
    if (!strcmp(which, "fixed"))
        exit(mmap((void *)0x70000000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
    if (!strcmp(which, "too large")) {
        void *volatile large = malloc(3u << 30);
        exit(large || mmap(NULL, 0xfff00000u, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    }
    if (!strcmp(which, "socket"))
        return socket(AF_INET6, SOCK_STREAM, 0);
    if (!strcmp(which, "unshare"))
        return unshare(0x400);
    if (!strcmp(which, "parent's end"))
        return fork() == 0 ? prctl(PR_SET_PDEATHSIG, SIGKILL) : wait(0) < 0;
    if (!strcmp(which, "all segments"))
        return shmctl(0, 14, 0);
    if (!strcmp(which, "limit"))
        return setrlimit(RLIMIT_CPU, &(struct rlimit){1, RLIM_INFINITY});
    if (!strcmp(which, "near a limit"))
        return setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, RLIM_INFINITY}) || !sbrk(4096);
    if (!strcmp(which, "ready signal"))
        return fcntl(pipe(ends) + ends[0], F_SETFL, O_ASYNC);
    if (!strcmp(which, "lease of a file"))
        return fcntl(0, F_SETLEASE, F_RDLCK);
    if (!strcmp(which, "lock of a pipe"))
        return flock(pipe(ends) + ends[0], LOCK_EX);
    if (!strcmp(which, "number"))
        return syscall(9999);
    if (!strcmp(which, "write"))
        return write(1, block, 11);
    if (!strcmp(which, "read")) {
        pipe(ends);
        write(ends[1], "eleven byte", 11);
        return read(ends[0], block, 11);
    }
    if (!strcmp(which, "null"))
        *(volatile int *)0 = 1;
    if (!strcmp(which, "constant"))
        *(volatile char *)which = *(volatile char *)"constant" = 1;
    if (!strcmp(which, "overflow"))
        ((volatile char *)block)[10] = 1;
    if (!strcmp(which, "handled overflow")) {
        signal(SIGSEGV, handler);
        ((volatile char *)block)[10] = 1;
    }
    if (!strcmp(which, "after free")) {
        free(block);
        return *(volatile char *)block;
    }
    if (!strcmp(which, "deadlock")) {
        pthread_create(&thread, NULL, crossing, NULL);
        pthread_mutex_lock(&first);
        usleep(1000);
        pthread_mutex_lock(&second);
    }
    if (!strcmp(which, "abort"))
        abort();
    if (!strcmp(which, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(which, "pipe")) {
        pipe(ends);
        close(ends[0]);
        write(ends[1], "x", 1);
    }
    if (!strcmp(which, "divide")) {
        volatile int zero = 0;
        return 5 / zero;
    }
    if (!strcmp(which, "main thread first")) {
        pthread_create(&thread, NULL, outliving, NULL);
        syscall(SYS_exit, 7);
    }
    /* The numbers of these lines are those that reports must name. */
    if (!strcmp(which, "system"))
        return system("for i in a b; do true; done");
    if (!strcmp(which, "command"))
        return system("/bin/ls");
    if (!strcmp(which, "ptrace"))
        return ptrace(0, 0, 0, 0); /* ptrace */
    if (!strcmp(which, "breakpoint")) {
        __asm__ volatile("int3"); /* breakpoint */
        return 1;
    }
    if (!strcmp(which, "trap"))
        __builtin_trap(); /* trap */
    if (!strcmp(which, "misaligned"))
        __asm__ volatile("movaps %%xmm0, (%0)" ::"r"(ends + 1), "r"(block)); /* misaligned */
    if (!strcmp(which, "privileged"))
        __asm__ volatile("hlt"); /* privileged */
    if (!strcmp(which, "resized"))
        return realloc(block + 1, 20) == block; /* resized */
    if (!strcmp(which, "astray"))
        astray(); /* astray */
    return 55;
}
