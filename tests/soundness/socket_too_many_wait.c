// steam: expect=deadlock
/* Who connects waits while others wait to be accepted, and nobody accepts them. */
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    strcpy(address.sun_path + 1, "waiting");
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 0);
    if (fork() == 0) {
        for (int i = 0; i < 2; i++)
            connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address,
                    sizeof address); /* ERROR */
        _exit(0);
    }
    wait(NULL);
    return 0;
}
