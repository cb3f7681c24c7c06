// steam: error=none
/* Deep recursion and large locals that fit the eight megabytes, with pointers to locals passed downwards. */
#include <stdio.h>
#include <string.h>

struct frame {
    struct frame *outer;
    int depth;
    char padding[100];
};

static int __attribute__((noinline)) descend(struct frame *outer, int depth)
{
    struct frame here = {outer, depth, {0}};
    if (depth == 0) {
        int n = 0;
        for (struct frame *f = &here; f; f = f->outer)
            n += f->depth >= 0;
        return n;
    }
    int n = descend(&here, depth - 1);
    return n + here.padding[99];
}
static unsigned __attribute__((noinline)) large(void)
{
    unsigned char block[6 << 20];
    memset(block, 1, sizeof block);
    return block[0] + block[sizeof block - 1] + block[12345];
}

int main(void)
{
    printf("%d\n", descend(NULL, 20000));
    printf("%u\n", large());
    printf("%d\n", descend(NULL, 10));
    return 0;
}
