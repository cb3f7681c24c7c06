// steam: expect=deadlock
/* Who waits in accept is not woken by the closing of the socket. */
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener;

static void *serve(void *argument)
{
    accept(listener, 0, 0);
    return argument;
}

int main(void)
{
    struct sockaddr_un name = {AF_UNIX, "/tmp/steam-closed"};
    pthread_t server;
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&name, sizeof name);
    listen(listener, 1);
    pthread_create(&server, 0, serve, 0);
    close(listener);
    pthread_join(server, 0);
}
