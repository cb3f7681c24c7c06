// steam: error=stack-overflow
/* A search that forgets to mark what it has seen runs in circles. */
#include <stdio.h>

struct place {
    const char *name;
    int next[2];
};
static struct place places[] = {{"hall", {1, 2}}, {"kitchen", {0, 2}}, {"yard", {1, 0}}, {"attic", {3, 3}}};

static int __attribute__((noinline)) reach(int from, int to, int depth)
{
    volatile char trail[64];
    trail[depth % 64] = (char)from;
    if (from == to)
        return depth + trail[depth % 64] * 0;
    int way = reach(places[from].next[depth % 2], to, depth + 1); /* ERROR */
    return way + trail[depth % 64] * 0;
}

int main(void)
{
    printf("%d\n", reach(0, 2, 0));
    printf("%d\n", reach(0, 3, 0));
    return 0;
}
