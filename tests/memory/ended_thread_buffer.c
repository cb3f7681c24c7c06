// steam: error=use-after-return
/* The system writes into the buffer of a detached thread that has ended. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char *volatile shown;

static void *work(void *unused)
{
    char buffer[100];
    memset(buffer, 0, sizeof buffer);
    shown = buffer;
    pthread_detach(pthread_self());
    pthread_exit(NULL);
}

int main(void)
{
    int ends[2];
    pthread_t thread;
    if (pipe(ends) != 0 || write(ends[1], "text", 4) != 4)
        return 2;
    pthread_create(&thread, NULL, work, NULL);
    while (shown == NULL)
        usleep(1000);
    usleep(1000);
    return read(ends[0], shown, 4) != 4; /* ERROR */
}
