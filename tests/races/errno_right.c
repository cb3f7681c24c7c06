// no race
/* Each thread has its own errno. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static void *fail(void *unused)
{
    assert(close(-1) == -1 && errno == EBADF);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    assert(chdir("") == -1 && errno == ENOENT);
    pthread_join(thread, NULL);
    assert(errno == ENOENT);
    return 0;
}
