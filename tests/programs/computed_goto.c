/* A byte-code interpreter three ways: computed goto, a big switch, and a table of functions; all must agree. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum op { PUSH, ADD, SUB, MUL, DIV, MOD, DUP, SWAP, OVER, DROP, JUMP, JZERO, LOAD, STORE, LESS, PRINT, CALL, RETURN, HALT };
struct machine {
    int stack[64], calls[64], memory[16], top, frames;
    unsigned steps;
    char out[256];
    size_t length;
};

static void print(struct machine *m, int value) { m->length += (size_t)snprintf(m->out + m->length, sizeof m->out - m->length, "%d ", value); }

#define POP (m->stack[--m->top])
#define PUT(x) (m->stack[m->top++] = (x))

static void run_goto(const int *code, struct machine *m)
{
    static const void *const labels[] = {&&push, &&add, &&sub, &&mul, &&div, &&mod, &&dup, &&swap, &&over, &&drop, &&jump, &&jzero, &&load, &&store, &&less, &&print, &&call, &&ret, &&halt};
    const int *pc = code;
    int a, b;
#define NEXT goto *(m->steps++, labels[*pc++])
    NEXT;
push: PUT(*pc++); NEXT;
add: b = POP; a = POP; PUT(a + b); NEXT;
sub: b = POP; a = POP; PUT(a - b); NEXT;
mul: b = POP; a = POP; PUT((int)((unsigned)a * (unsigned)b)); NEXT;
div: b = POP; a = POP; PUT(b ? a / b : 0); NEXT;
mod: b = POP; a = POP; PUT(b ? a % b : 0); NEXT;
dup: a = POP; PUT(a); PUT(a); NEXT;
swap: b = POP; a = POP; PUT(b); PUT(a); NEXT;
over: b = POP; a = POP; PUT(a); PUT(b); PUT(a); NEXT;
drop: (void)POP; NEXT;
jump: pc = code + *pc; NEXT;
jzero: a = POP; pc = a ? pc + 1 : code + *pc; NEXT;
load: PUT(m->memory[*pc++]); NEXT;
store: m->memory[*pc++] = POP; NEXT;
less: b = POP; a = POP; PUT(a < b); NEXT;
print: print(m, POP); NEXT;
call: m->calls[m->frames++] = (int)(pc + 1 - code); pc = code + *pc; NEXT;
ret: pc = code + m->calls[--m->frames]; NEXT;
halt: return;
}

static void run_switch(const int *code, struct machine *m)
{
    for (const int *pc = code;;) {
        int a, b;
        m->steps++;
        switch ((enum op)*pc++) {
        case PUSH: PUT(*pc++); break;
        case ADD: b = POP; a = POP; PUT(a + b); break;
        case SUB: b = POP; a = POP; PUT(a - b); break;
        case MUL: b = POP; a = POP; PUT((int)((unsigned)a * (unsigned)b)); break;
        case DIV: b = POP; a = POP; PUT(b ? a / b : 0); break;
        case MOD: b = POP; a = POP; PUT(b ? a % b : 0); break;
        case DUP: a = POP; PUT(a); PUT(a); break;
        case SWAP: b = POP; a = POP; PUT(b); PUT(a); break;
        case OVER: b = POP; a = POP; PUT(a); PUT(b); PUT(a); break;
        case DROP: (void)POP; break;
        case JUMP: pc = code + *pc; break;
        case JZERO: a = POP; pc = a ? pc + 1 : code + *pc; break;
        case LOAD: PUT(m->memory[*pc++]); break;
        case STORE: m->memory[*pc++] = POP; break;
        case LESS: b = POP; a = POP; PUT(a < b); break;
        case PRINT: print(m, POP); break;
        case CALL: m->calls[m->frames++] = (int)(pc + 1 - code); pc = code + *pc; break;
        case RETURN: pc = code + m->calls[--m->frames]; break;
        case HALT: return;
        }
    }
}

static void compare(const char *name, const int *code)
{
    static struct machine a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    run_goto(code, &a);
    run_switch(code, &b);
    printf("%s: %s(%u steps) %s\n", name, a.out, a.steps, memcmp(&a, &b, sizeof a) == 0 ? "agree" : "DIFFER");
}

/* A huge sparse switch and a dense one with ranges. */
static int classify(unsigned v)
{
    switch (v) {
    case 0 ... 9: return 1;
    case 10: case 20: case 30: case 40: case 50: return 2;
    case 11: return 3; case 12: return 30; case 13: return 300; case 14: return 4; case 15: return 40; case 16: return 400; case 17: return 5; case 18: return 50; case 19: return 500;
    case 21 ... 29: return (int)v * 2;
    case 100: return 6; case 1000: return 7; case 10000: return 8; case 100000: return 9; case 1000000: return 10;
    case 0x80000000u: return 11; case 0xffffffffu: return 12; case 0xfffffff0u ... 0xfffffffeu: return 13;
    default: return v % 2 ? -1 : -2;
    }
}
/* Duff's device. */
static void copy(short *to, const short *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void)
{
    static const int factorials[] = {PUSH, 1, STORE, 0, PUSH, 1, STORE, 1, LOAD, 1, LOAD, 0, MUL, DUP, PRINT, STORE, 1, LOAD, 0, PUSH, 1, ADD, DUP, STORE, 0, PUSH, 12, LESS, JZERO, 32, JUMP, 8, HALT};
    static const int collatz[] = {PUSH, 27, DUP, PUSH, 1, SUB, JZERO, 31, LOAD, 2, PUSH, 1, ADD, STORE, 2, DUP, PUSH, 2, MOD, JZERO, 27, PUSH, 3, MUL, PUSH, 1, ADD, /* 27 */ CALL, 35, JUMP, 2, /* 31 */ LOAD, 2, PRINT, HALT, /* 35 */ DUP, PUSH, 2, MOD, JZERO, 42, RETURN, /* 42 */ PUSH, 2, DIV, RETURN};
    static const int fibonacci[] = {PUSH, 0, PUSH, 1, OVER, PRINT, SWAP, OVER, ADD, DUP, PUSH, 5000, LESS, JZERO, 17, JUMP, 4, DROP, DROP, HALT};
    compare("factorials", factorials);
    compare("fibonacci", fibonacci);
    compare("collatz", collatz);
    unsigned hash = 0;
    for (unsigned v = 0; v < 2000; v++)
        hash = hash * 31 + (unsigned)classify(v) + (unsigned)classify(v * 500) + (unsigned)classify(0u - v) + (unsigned)classify(0x80000000u + v / 1000);
    printf("classes %08x\n", hash);
    short from[100], to[100];
    int wrong = 0;
    for (int n = 1; n < 100; n++) {
        for (int i = 0; i < 100; i++)
            from[i] = (short)(i * n), to[i] = -1;
        copy(to, from, n);
        wrong += memcmp(to, from, sizeof(short) * (size_t)n) != 0 || to[n] != -1;
    }
    printf("duff wrong %d\n", wrong);
    return 0;
}
