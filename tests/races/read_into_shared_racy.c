// race: buffer[1] 11 20
/* A system call writes the buffer that another thread reads. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char buffer[4];

static void *receive(void *unused)
{
    return read(ends[0], buffer, 3) == 3 ? unused : buffer;
}

int main(void)
{
    pthread_t receiver;
    if (pipe(ends) != 0 || write(ends[1], "abc", 3) != 3)
        return 1;
    pthread_create(&receiver, NULL, receive, NULL);
    char first = buffer[1];
    pthread_join(receiver, NULL);
    return first != 0 && first != 'b';
}
