// steam: expect=none
/* A server waits with poll, first for a client and then for what it says. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sockaddr_in address;

static void client(char name)
{
    char answer;
    int own = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(own, (struct sockaddr *)&address, sizeof address) == 0);
    assert(write(own, &name, 1) == 1);
    assert(read(own, &answer, 1) == 1 && answer == name + 1);
    close(own);
    _exit(0);
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons(5000);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 2) == 0);
    if (fork() == 0)
        client('a');
    struct pollfd watched[2] = {{listener, POLLIN, 0}};
    int count = 1, ended = 0;
    while (!ended) {
        assert(poll(watched, count, -1) > 0);
        if (count == 1 && watched[0].revents & POLLIN) {
            watched[1].fd = accept(listener, NULL, NULL);
            watched[1].events = POLLIN;
            watched[1].revents = 0;
            watched[0].fd = -1;
            count = 2;
        }
        if (count == 2 && watched[1].revents & POLLIN) {
            char byte;
            if (read(watched[1].fd, &byte, 1) == 1) {
                byte++;
                assert(write(watched[1].fd, &byte, 1) == 1);
            } else {
                ended = 1;
            }
        }
    }
    assert(wait(NULL) > 0);
    return 0;
}
