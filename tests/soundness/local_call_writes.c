// steam: expect=assert
/* A system call that concerns nobody else writes a word that is shared. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/utsname.h>

static volatile int begun;
static struct utsname names;

static void *ask(void *unused)
{
    begun = 1;
    uname(&names);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ask, NULL);
    if (begun)
        assert(*(volatile char *)names.sysname != 0);
    pthread_join(thread, NULL);
    return 0;
}
