// steam: error=heap-out-of-bounds
/* After shrinking, an old index is still used. */
#include <stdio.h>
#include <stdlib.h>

struct stack {
    int *items;
    int used, room;
};

static void push(struct stack *s, int value)
{
    if (s->used == s->room)
        s->items = realloc(s->items, sizeof(int) * (size_t)(s->room = s->room ? s->room * 2 : 4));
    s->items[s->used++] = value;
}
static void shrink(struct stack *s) { s->items = realloc(s->items, sizeof(int) * (size_t)(s->room = s->used)); /* ALLOC */ }
static int __attribute__((noinline)) peek(const struct stack *s, int index) { return s->items[index]; /* ERROR */ }

int main(void)
{
    struct stack s = {NULL, 0, 0};
    for (int i = 0; i < 10; i++)
        push(&s, i * 3);
    s.used = 5;
    shrink(&s);
    printf("%d\n", peek(&s, 4));
    printf("%d\n", peek(&s, 5));
    free(s.items);
    return 0;
}
