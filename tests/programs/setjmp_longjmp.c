/* setjmp/longjmp: error recovery, nested contexts, values, loops, and a small try/catch built on them. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf top;

static void deep(int level)
{
    volatile char padding[64];
    memset((void *)padding, level, sizeof padding);
    if (level == 0)
        longjmp(top, 17);
    deep(level - 1);
    printf("never printed %d\n", padding[0]);
}

/* A handler stack as small interpreters have it. */
struct frame {
    jmp_buf context;
    struct frame *outer;
};
static struct frame *handlers;
static const char *message;

static void throw_error(int code, const char *text)
{
    message = text;
    struct frame *target = handlers;
    if (!target) {
        puts("uncaught");
        exit(2);
    }
    handlers = target->outer;
    longjmp(target->context, code);
}

#define TRY(frame) \
    (frame).outer = handlers, handlers = &(frame); \
    switch (setjmp((frame).context))

static int parse_digit(char c)
{
    if (c < '0' || c > '9')
        throw_error(c == 0 ? 1 : 2, c == 0 ? "end of input" : "not a digit");
    return c - '0';
}

static int parse(const char *text)
{
    struct frame frame;
    volatile int value = 0;
    TRY(frame) {
    case 0:
        for (;;)
            value = value * 10 + parse_digit(*text++);
    case 1:
        return value;
    default:
        printf("inner: %s after %d; passing on\n", message, value);
        throw_error(9, message);
    }
    return -1;
}

static void outer(const char *text)
{
    struct frame frame;
    TRY(frame) {
    case 0:
        printf("parsed %d\n", parse(text));
        handlers = frame.outer;
        break;
    case 9:
        printf("outer caught: %s\n", message);
        break;
    }
}

static int counting(void)
{
    jmp_buf again;
    volatile int count = 0;
    int result = setjmp(again);
    count++;
    if (result < 10)
        longjmp(again, result + 1);
    return count;
}

int main(void)
{
    volatile int local = 1;
    double volatile real = 2.5;
    int value = setjmp(top);
    if (value == 0) {
        local = 2;
        real *= 3;
        deep(50);
    }
    printf("came back with %d, local %d, real %g\n", value, local, real);

    if ((value = setjmp(top)) == 0)
        longjmp(top, 0);
    printf("longjmp 0 gives %d\n", value);

    printf("counted %d\n", counting());
    outer("12345");
    outer("99x1");
    outer("");
    printf("handlers left: %s\n", handlers ? "some" : "none");

    for (volatile int i = 0; i < 3; i++) {
        sigjmp_buf saved;
        if (sigsetjmp(saved, i & 1) == 0)
            siglongjmp(saved, 1);
        printf("round %d\n", i);
    }
    return 0;
}
