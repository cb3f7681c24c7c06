// no race
/* call_once and thread_local of C11. */
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int base;
static thread_local int own;

static void set_base(void)
{
    base = 40;
}

static int use(void *unused)
{
    (void)unused;
    call_once(&once, set_base);
    own = base + 2;
    assert(own == 42);
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, use, NULL);
    use(NULL);
    thrd_join(thread, NULL);
    return 0;
}
