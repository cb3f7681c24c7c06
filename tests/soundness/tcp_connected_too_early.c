// steam: expect=assert
/* The client may come before the server listens. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>

static struct sockaddr_in address;

static void *serve(void *unused)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 1);
    accept(listener, NULL, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    address.sin_family = AF_INET;
    address.sin_port = htons(5000);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pthread_create(&thread, NULL, serve, NULL);
    int own = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(own, (struct sockaddr *)&address, sizeof address) == 0); /* ERROR */
    return 0;
}
