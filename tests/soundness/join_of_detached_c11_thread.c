// steam: expect=joins-detached
/* The same by the names of C11. */
#include <threads.h>

static int work(void *unused)
{
    (void)unused;
    thrd_detach(thrd_current());
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    return 0;
}
