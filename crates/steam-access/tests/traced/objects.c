/* Every way in which C declares and accesses atomic objects, and plain ones beside them. What is
   told to be atomic or plain is what the test believes; all that is accessed between `begin` and
   `end` is compared with what the image says. What is accessed by
   the type of its first member only (`CAST`) need not be known, but must not count as atomic. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN, ATOMIC, FORGET, CAST };
#define NOINLINE __attribute__((noinline, noclone))

NOINLINE void begin(void) { __asm__ volatile(""); }
NOINLINE void end(void) { __asm__ volatile(""); }
NOINLINE void tell(volatile void *at, unsigned size, int what) {
    __asm__ volatile("" : : "r"(at), "r"(size), "r"(what) : "memory");
}

typedef atomic_int counter_t;
struct inner { char letter; atomic_bool ready; short plain_short; _Atomic short small; };
struct node {
    int plain;
    atomic_int flag;
    struct node *next;
    _Atomic(struct node *) shared;
    struct inner in;
    counter_t many[3];
    int plain_many[3];
    volatile int watched;
    atomic_flag lock;
    atomic_llong wide;
    long long plain_wide;
    union { atomic_uint first; } either;
    struct inner deep[2];
};
struct header { atomic_int references; };
struct derived { struct header header; int payload; };
struct growing { int length; atomic_int cells[]; };

atomic_int global;
static counter_t hidden;
volatile int watched;
int neighbour;
struct node box;
struct node table[3];
atomic_int numbers[4];
int plain_numbers[4];
struct node *head;
_Atomic(struct node *) top;
int sink;

#define RELAXED(object) atomic_load_explicit(&(object), memory_order_relaxed)
#define ACQUIRE(object) atomic_load_explicit(&(object), memory_order_acquire)
#define PUT(object, value) atomic_store_explicit(&(object), value, memory_order_release)

NOINLINE int globals(void) { PUT(global, 3); neighbour = watched; watched = 4; return RELAXED(global) + neighbour + hidden; }
NOINLINE int statics(void) { static atomic_int calls; static int plain_calls; tell(&calls, 4, ATOMIC); tell(&plain_calls, 4, PLAIN); PUT(calls, RELAXED(calls) + 1); plain_calls++; return calls + plain_calls; }
NOINLINE int members(void) { PUT(box.flag, 1); box.plain = 2; PUT(box.in.ready, 1); box.in.letter = 3; box.in.plain_short = 1; return RELAXED(box.flag) + box.plain + box.in.ready + box.in.small + box.watched + box.plain_wide + RELAXED(box.either.first); }
NOINLINE int elements(int i) { PUT(numbers[i], i); plain_numbers[i] = i; PUT(table[i].flag, 2); table[i].plain = 1; PUT(table[i].many[i], 3); table[i].plain_many[i] = 5; return numbers[i] + plain_numbers[2] + numbers[3] + table[1].flag + table[2].plain + table[i].deep[i].ready; }
NOINLINE int by_parameter(struct node *p) { PUT(p->flag, 1); p->plain = 2; p->watched = 4; return RELAXED(p->flag) + p->plain + ACQUIRE(p->in.ready) + p->in.letter + p->in.plain_short + p->in.small + p->watched; }
NOINLINE int by_chain(struct node *p) { PUT(p->next->flag, 1); p->next->plain = 2; return p->next->next->flag + p->next->next->plain; }
NOINLINE int by_atomic_pointer(struct node *p) { struct node *q = ACQUIRE(p->shared); q->plain = 5; return q->plain + q->flag + ACQUIRE(q->shared)->plain; }
NOINLINE int by_global_pointer(void) { return head->flag + head->plain + ACQUIRE(top)->plain + ACQUIRE(top)->flag; }
NOINLINE int in_a_loop(struct node *p) { int sum = 0; for (; p; p = p->next) { sum += RELAXED(p->flag) + p->plain; if (ACQUIRE(p->in.ready) > 2) break; } return sum; }
NOINLINE int in_an_array(struct node *p, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += RELAXED(p[i].flag) + p[i].plain; return sum; }
NOINLINE int over_numbers(atomic_int *p, int *q, int n) { int sum = RELAXED(p[2]) + q[2]; for (int i = 0; i < n; i++) sum += RELAXED(p[i]) + q[i]; return sum; }
NOINLINE int indexed(struct node *p, int i) { return RELAXED(p->many[1]) + p->plain_many[1]; }
NOINLINE int walking(struct node *p, struct node *end) { int sum = 0; while (p != end) { sum += p->plain + RELAXED(p->flag); p++; } return sum; }
NOINLINE long long wides(struct node *p) { PUT(p->wide, 5); p->plain_wide = 6; return RELAXED(p->wide) + p->plain_wide; }
NOINLINE void *by_void(void *argument) { struct node *p = argument; PUT(p->flag, 4); p->plain = 5; return p; }
NOINLINE void *to_number(void *argument) { atomic_int *number = argument; while (!ACQUIRE(*number)) ; return 0; }
NOINLINE void *to_plain(void *argument) { int *number = argument; *number = 3; return number; }
NOINLINE int locals(void) {
    atomic_int local = 1; int plain = 2; struct node own; memset(&own, 0, sizeof own);
    tell(&local, 4, ATOMIC); tell(&plain, 4, PLAIN); tell(&own.flag, 4, ATOMIC); tell(&own.plain, 4, PLAIN);
    to_number(&local); to_plain(&plain); by_void(&own);
    PUT(local, 5); plain = 6; own.plain = 3;
    __asm__ volatile("" : : "r"(&plain), "r"(&local), "r"(&own) : "memory");
    int result = RELAXED(local) + plain + RELAXED(own.flag) + own.plain;
    tell(&local, 4, FORGET); tell(&plain, 4, FORGET); tell(&own.flag, 4, FORGET); tell(&own.plain, 4, FORGET);
    return result;
}
NOINLINE int first_member(struct header *header) { return RELAXED(header->references) + ((struct derived *)header)->payload; }
NOINLINE int growing(struct growing *g, int i) { return RELAXED(g->cells[i]) + g->length; }
NOINLINE struct node *made(void) { return head; }
NOINLINE int by_result(void) { return RELAXED(made()->flag) + made()->plain; }
NOINLINE int chosen(struct node *p, struct node *q, int which) { struct node *r = which ? p : q; return RELAXED(r->flag) + r->plain; }
NOINLINE int kept(struct node *p) { int before = p->plain; sink = by_parameter(p); struct inner *in = &p->in; sink += in->letter; return before + RELAXED(p->flag) + p->plain + in->ready; }
NOINLINE int through_pointer(atomic_int *number, int *plain) { PUT(*number, 2); *plain = 3; return RELAXED(*number) + *plain; }
NOINLINE int switched(struct node *p, int n) {
    switch (n) {
    case 0: return RELAXED(p->flag);
    case 1: return p->plain;
    case 2: PUT(p->flag, 3); return 5;
    case 3: p->plain = 1; return RELAXED(p->in.ready);
    case 4: return p->in.letter;
    case 5: return p->next->plain + p->next->flag;
    default: return 0;
    }
}

static void tell_node(struct node *p) {
    tell(&p->plain, 4, PLAIN); tell(&p->flag, 4, ATOMIC); tell(&p->next, 4, PLAIN); tell(&p->shared, 4, ATOMIC);
    tell(&p->in.letter, 1, PLAIN); tell(&p->in.ready, 1, ATOMIC); tell(&p->in.plain_short, 2, PLAIN); tell(&p->in.small, 2, ATOMIC);
    tell(p->many, 12, ATOMIC); tell(p->plain_many, 12, PLAIN); tell(&p->watched, 4, PLAIN); tell(&p->wide, 8, ATOMIC); tell(&p->plain_wide, 8, PLAIN);
    tell(&p->either, 4, ATOMIC); tell(&p->deep[0].ready, 1, ATOMIC); tell(&p->deep[1].ready, 1, ATOMIC); tell(&p->deep[0].letter, 1, PLAIN);
}

int main(void) {
    struct node *list = calloc(4, sizeof *list);
    for (int i = 0; i < 3; i++) { list[i].next = &list[i + 1]; list[i].shared = &list[i + 1]; }
    head = list; top = list;
    struct derived *derived = calloc(1, sizeof *derived);
    struct growing *grows = calloc(1, sizeof *grows + 12);
    atomic_int *heap_numbers = calloc(4, 4); int *heap_plain = calloc(4, 4);
    begin();
    for (int i = 0; i < 4; i++) tell_node(&list[i]);
    for (int i = 0; i < 3; i++) tell_node(&table[i]);
    tell_node(&box);
    tell(&global, 4, ATOMIC); tell(&hidden, 4, ATOMIC); tell(&watched, 4, PLAIN); tell(&neighbour, 4, PLAIN);
    tell(numbers, 16, ATOMIC); tell(plain_numbers, 16, PLAIN); tell(&head, 4, PLAIN); tell(&top, 4, ATOMIC);
    tell(&sink, 4, PLAIN); tell(&derived->header, 4, ATOMIC); tell(&derived->payload, 4, CAST);
    tell(&grows->length, 4, PLAIN); tell(grows->cells, 12, ATOMIC);
    tell(heap_numbers, 16, ATOMIC); tell(heap_plain, 16, PLAIN);
    globals(); statics(); members(); elements(1); by_parameter(list); by_chain(list); by_atomic_pointer(list);
    by_global_pointer(); in_a_loop(list); in_an_array(list, 3); over_numbers(heap_numbers, heap_plain, 3);
    indexed(list, 1); walking(list, list + 3); wides(list); by_void(list); locals();
    first_member(&derived->header); growing(grows, 1); by_result(); chosen(list, list + 1, 1); kept(list);
    through_pointer(&list->flag, &list->plain); through_pointer(&global, &neighbour);
    for (int i = 0; i < 7; i++) switched(list, i);
    end();
    return 0;
}
