/* Exceptions of the CPU as signals, and handlers that repair them. */
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "call.h"

static sigjmp_buf place;
static char *page;

static void tell(const char *what, siginfo_t *info, ucontext_t *context)
{
    greg_t *registers = context->uc_mcontext.gregs;
    printf("%s signal %d code %d trap %d error %d at eip %d\n", what, info->si_signo, info->si_code,
           registers[REG_TRAPNO], registers[REG_ERR], info->si_addr == (void *)registers[REG_EIP]);
}

static void jumps(int signal, siginfo_t *info, void *context)
{
    tell("jump", info, context);
    if (((ucontext_t *)context)->uc_mcontext.gregs[REG_TRAPNO] == 14)
        printf("address %p cr2 %lx\n", info->si_addr, ((ucontext_t *)context)->uc_mcontext.cr2);
    siglongjmp(place, 1);
}

static void skips(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    tell("skip", info, context);
    registers[REG_EIP] += 2;
    registers[REG_EAX] = 77;
}

static void repairs(int signal, siginfo_t *info, void *context)
{
    printf("repair %d\n", (char *)info->si_addr == page + 10);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void traps(int signal, siginfo_t *info, void *context) { tell("trap", info, context); }

static void math(int signal, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    tell("math", info, context);
    user->uc_mcontext.fpregs->cw |= 0x3f;
    user->uc_mcontext.fpregs->sw &= ~0x80ffu;
}

static void set(int signal, void *handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_SIGINFO};
    sigaction(signal, &action, NULL);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    set(SIGSEGV, jumps);
    if (!sigsetjmp(place, 1))
        *(volatile int *)8 = 1;
    if (!sigsetjmp(place, 1))
        printf("%d\n", *(volatile int *)16);
    if (!sigsetjmp(place, 1))
        ((void (*)(void))12)();
    if (!sigsetjmp(place, 1))
        __asm__ volatile("hlt");
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    set(SIGSEGV, repairs);
    page[10] = 5;
    printf("repaired %d\n", page[10]);
    set(SIGFPE, skips);
    set(SIGILL, skips);
    int result;
    __asm__ volatile("xor %%edx, %%edx; mov $5, %%eax; xor %%ecx, %%ecx; div %%ecx"
                     : "=a"(result) : : "ecx", "edx");
    printf("%d\n", result);
    __asm__ volatile("ud2");
    set(SIGTRAP, traps);
    __asm__ volatile("int3");
    set(SIGFPE, math);
    feenableexcept(FE_DIVBYZERO);
    volatile double one = 1, zero = 0, quotient = one / zero;
    printf("%f\n", quotient);
    fedisableexcept(FE_ALL_EXCEPT);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    volatile int nothing = 0;
    return 5 / nothing;
}
