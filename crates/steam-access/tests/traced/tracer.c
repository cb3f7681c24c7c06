/* Runs a program from one address to another, instruction by instruction, and prints the registers
   before each. At a third address it prints the arguments of the function that begins there.
   usage: tracer program from to told */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static int step(int request) {
    int status;
    ptrace(request, child, 0, 0);
    waitpid(child, &status, 0);
    return WIFSTOPPED(status);
}

int main(int argc, char **argv) {
    unsigned long from = strtoul(argv[2], 0, 16), to = strtoul(argv[3], 0, 16);
    unsigned long told = strtoul(argv[4], 0, 16);
    child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execl(argv[1], argv[1], (char *)0);
        _exit(127);
    }
    waitpid(child, 0, 0);
    long original = ptrace(PTRACE_PEEKTEXT, child, (void *)from, 0);
    ptrace(PTRACE_POKETEXT, child, (void *)from, (void *)((original & ~0xffL) | 0xcc));
    if (!step(PTRACE_CONT)) return 1;
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, 0, &registers);
    registers.eip = from;
    ptrace(PTRACE_SETREGS, child, 0, &registers);
    ptrace(PTRACE_POKETEXT, child, (void *)from, (void *)original);
    for (;;) {
        ptrace(PTRACE_GETREGS, child, 0, &registers);
        if (registers.eip == to) break;
        printf("%lx %lx %lx %lx %lx %lx %lx %lx %lx", registers.eip, registers.eax, registers.ecx,
               registers.edx, registers.ebx, registers.esp, registers.ebp, registers.esi,
               registers.edi);
        for (int at = 1; registers.eip == told && at <= 3; at++)
            printf(" %lx",
                   ptrace(PTRACE_PEEKDATA, child, (void *)(registers.esp + 4 * at), 0) & 0xffffffff);
        putchar('\n');
        if (!step(PTRACE_SINGLESTEP)) return 1;
    }
    ptrace(PTRACE_KILL, child, 0, 0);
    return 0;
}
