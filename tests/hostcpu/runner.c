/* Runs short pieces of machine code on the real CPU, each from a given state, and reports the
   state that they leave behind.

   Protocol, little-endian, on standard input and output:
     batch    u32 number of requests, u32 size of all requests in bytes, the requests
     request  u8 parts (1 floating image, 2 memory window, 4 code of the previous request),
              u8 code length, u16 zero, u32 eax ecx edx ebx esp ebp esi edi, u32 eflags,
              [32 bytes of code], [288 bytes fxsave image], [256 bytes of memory]
     answer   u8 signal (0: none), u8 exit reached, u16 zero; and without a signal also
              u32 registers as above, u32 eflags, [288 bytes], [256 bytes]
   The answers to a batch are written when all of its requests have run. */

#define _GNU_SOURCE
#include <asm/ldt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    DATA_PAGE = 0x20000000,
    WINDOW = DATA_PAGE + 0xf00, /* ends at the guard page */
    WINDOW_SIZE = 256,
    CODE_PAGE = 0x21000000,
    CODE = CODE_PAGE + 0x800,
    EXIT_BACKWARD = CODE_PAGE + 0x7a0, /* exit 2, in reach of a short jump */
    EXIT_FORWARD = CODE_PAGE + 0x860,  /* exit 1, in reach of a short jump */
    EXIT_FAR = CODE_PAGE + 0xe00,      /* exit 3 */
    CODE_SIZE = 32,
    FLOATING_SIZE = 288,
    PART_FLOATING = 1,
    PART_MEMORY = 2,
    PART_SAME_CODE = 4,
    /* CF PF AF ZF SF DF OF; bit 1 is always set, IF must be. */
    FLAGS_SETTABLE = 0xcd5,
    FLAGS_FIXED = 0x202,
};

extern void enter(void), leave_0(void), leave_1(void), leave_2(void), leave_3(void);
extern void leave_fault(void);

uint32_t state_in[9], state_out[9];
uint32_t use_floating, exit_reached, test_fs;
uint32_t code_entry = CODE;
uint8_t floating_in[512] __attribute__((aligned(16)));
uint8_t floating_out[512] __attribute__((aligned(16)));
static volatile int signal_caught;
static char signal_stack[65536];

static void die(const char *what) {
    perror(what);
    exit(2);
}

extern uint32_t host_esp;

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)info;
    ucontext_t *frame = context;
    signal_caught = number;
    frame->uc_mcontext.gregs[REG_EIP] = (greg_t)(uintptr_t)leave_fault;
    frame->uc_mcontext.gregs[REG_ESP] = (greg_t)host_esp;
    frame->uc_mcontext.gregs[REG_EFL] = FLAGS_FIXED;
}

static void catch_faults(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaltstack(&stack, NULL))
        die("sigaltstack");
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], &action, NULL))
            die("sigaction");
}

static void map_page(uintptr_t page, int protection) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap((void *)page, PAGE, protection, flags, -1, 0) == MAP_FAILED)
        die("mmap");
}

/* Writes `jmp rel32` to `target` at `where`. */
static void put_jump(uintptr_t where, void (*target)(void)) {
    int32_t distance = (int32_t)((uintptr_t)target - (where + 5));
    uint8_t bytes[5] = {0xe9};
    memcpy(bytes + 1, &distance, 4);
    memcpy((void *)where, bytes, 5);
}

static void map_pages(void) {
    map_page(DATA_PAGE - PAGE, PROT_NONE);
    map_page(DATA_PAGE, PROT_READ | PROT_WRITE);
    map_page(DATA_PAGE + PAGE, PROT_NONE);
    map_page(CODE_PAGE - PAGE, PROT_NONE);
    map_page(CODE_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    map_page(CODE_PAGE + PAGE, PROT_NONE);
    memset((void *)CODE_PAGE, 0xcc, PAGE);
    put_jump(EXIT_FORWARD, leave_1);
    put_jump(EXIT_BACKWARD, leave_2);
    put_jump(EXIT_FAR, leave_3);
}

/* Makes a segment that begins at the data page; the tested code has it in fs. */
static void make_segment(void) {
    struct user_desc segment = {
        .entry_number = -1,
        .base_addr = DATA_PAGE,
        .limit = 0xfffff,
        .seg_32bit = 1,
        .limit_in_pages = 1,
        .useable = 1,
    };
    if (syscall(SYS_set_thread_area, &segment))
        die("set_thread_area");
    test_fs = segment.entry_number * 8 + 3;
}

/* Reads exactly `size` bytes; returns 0 at the end of the input. */
static int read_all(void *buffer, size_t size) {
    uint8_t *at = buffer;
    while (size > 0) {
        ssize_t count = read(0, at, size);
        if (count < 0)
            die("read");
        if (count == 0)
            return 0;
        at += count;
        size -= (size_t)count;
    }
    return 1;
}

static void write_all(const void *buffer, size_t size) {
    const uint8_t *at = buffer;
    while (size > 0) {
        ssize_t count = write(1, at, size);
        if (count <= 0)
            die("write");
        at += count;
        size -= (size_t)count;
    }
}

static uint8_t *put(uint8_t *out, const void *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}

/* Runs the request at *in and advances it; returns the end of the answer written at `out`. */
static uint8_t *run(const uint8_t **in, uint8_t *out) {
    const uint8_t *at = *in;
    unsigned parts = at[0], code_length = at[1];
    if (code_length > CODE_SIZE) {
        fputs("runner: code too long\n", stderr);
        exit(2);
    }
    memcpy(state_in, at + 4, sizeof state_in);
    state_in[8] = (state_in[8] & FLAGS_SETTABLE) | FLAGS_FIXED;
    at += 4 + sizeof state_in;
    if (!(parts & PART_SAME_CODE)) {
        memcpy((void *)CODE, at, code_length);
        put_jump(CODE + code_length, leave_0);
        at += CODE_SIZE;
    }
    use_floating = parts & PART_FLOATING;
    if (use_floating) {
        memcpy(floating_in, at, FLOATING_SIZE);
        at += FLOATING_SIZE;
    }
    if (parts & PART_MEMORY) {
        memcpy((void *)WINDOW, at, WINDOW_SIZE);
        at += WINDOW_SIZE;
    }
    *in = at;

    signal_caught = 0;
    enter();

    uint8_t head[4] = {(uint8_t)signal_caught, (uint8_t)exit_reached};
    out = put(out, head, sizeof head);
    if (signal_caught)
        return out;
    out = put(out, state_out, sizeof state_out);
    if (parts & PART_FLOATING)
        out = put(out, floating_out, FLOATING_SIZE);
    if (parts & PART_MEMORY)
        out = put(out, (void *)WINDOW, WINDOW_SIZE);
    return out;
}

int main(void) {
    uint8_t *requests = NULL, *answers = NULL;
    uint32_t head[2];
    map_pages();
    make_segment();
    catch_faults();
    while (read_all(head, sizeof head)) {
        requests = realloc(requests, head[1]);
        answers = realloc(answers, (size_t)head[0] * (40 + FLOATING_SIZE + WINDOW_SIZE));
        if (!requests || !answers)
            die("realloc");
        if (!read_all(requests, head[1]))
            break;
        alarm(60); /* code that never comes back must not hang the tests */
        const uint8_t *in = requests;
        uint8_t *out = answers;
        for (uint32_t i = 0; i < head[0]; i++)
            out = run(&in, out);
        alarm(0);
        write_all(answers, (size_t)(out - answers));
    }
    return 0;
}
