// steam: expect=none
/* Few bytes fit into a TCP connection with such a buffer on each machine. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[8000];

int main(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0), size = 4000;
    bind(listener, (struct sockaddr *)&name, sizeof name);
    getsockname(listener, (struct sockaddr *)&name, &length);
    listen(listener, 1);
    if (fork() == 0) {
        int one = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(one, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        connect(one, (struct sockaddr *)&name, sizeof name);
        write(one, bytes, 1000);
        _exit(0);
    }
    int other = accept(listener, NULL, NULL);
    wait(NULL);
    while (read(other, bytes, sizeof bytes) > 0)
        ;
    return 0;
}
