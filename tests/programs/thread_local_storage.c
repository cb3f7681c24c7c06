// steam: pie
/* Thread-local variables: initialised, zeroed, arrays, structures, alignment; one set for each of several threads. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int counter = 100;
static __thread char buffer[64];
static _Thread_local struct {
    double total;
    int items[8];
    const char *name;
} stats = {0.5, {1, 2, 3}, "initial"};
__thread long long wide_value = 0x123456789abcdefll;
static __thread _Alignas(64) char aligned[64] = "aligned";

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int destroyed[8];

static void destroy(void *value) { destroyed[*(int *)value]++, free(value); }
static void make_key(void) { pthread_key_create(&key, destroy); }

static int bump(int by)
{
    static __thread int calls;
    calls++;
    counter += by;
    return calls;
}

struct result {
    int id, counter, calls, zeroed, aligned_ok;
    double total;
    long long wide;
    char text[64];
};

static void *work(void *argument)
{
    struct result *r = argument;
    pthread_once(&once, make_key);
    r->zeroed = 1;
    for (size_t i = 0; i < sizeof buffer; i++)
        r->zeroed &= buffer[i] == 0;
    r->aligned_ok = (uintptr_t)aligned % 64 == 0 && strcmp(aligned, "aligned") == 0;
    for (int i = 0; i <= r->id; i++)
        r->calls = bump(i);
    for (int i = 0; i < 8; i++)
        stats.total += stats.items[i] * (r->id + 1);
    snprintf(buffer, sizeof buffer, "thread %d, %s", r->id, stats.name);
    stats.name = "changed";
    wide_value >>= r->id * 4;
    aligned[0] = '?';
    int *mine = malloc(sizeof *mine);
    *mine = r->id;
    pthread_setspecific(key, mine);
    r->counter = counter, r->total = stats.total, r->wide = wide_value;
    strcpy(r->text, buffer);
    r->calls += pthread_getspecific(key) == mine ? 0 : 1000;
    return r;
}

int main(void)
{
    pthread_t threads[5];
    struct result results[6];
    counter = 7;
    for (int i = 0; i < 5; i++) {
        results[i].id = i;
        pthread_create(&threads[i], NULL, work, &results[i]);
    }
    for (int i = 0; i < 5; i++) {
        void *back;
        pthread_join(threads[i], &back);
        struct result *r = back;
        printf("%d: counter %d calls %d zeroed %d aligned %d total %g wide %llx '%s'\n", r->id, r->counter, r->calls, r->zeroed, r->aligned_ok, r->total, r->wide, r->text);
    }
    results[5].id = 5;
    work(&results[5]);
    printf("main: counter %d calls %d total %g '%s'\n", counter, results[5].calls, stats.total, buffer);
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += destroyed[i];
    printf("destroyed %d\n", sum);
    free(pthread_getspecific(key));
    return 0;
}
