// steam: error=uninitialised
#include <sys/socket.h>

__attribute__((noipa)) static void fill(char *text) {
    text[0] = 'a';
}

int main(void) {
    int ends[2];
    char text[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    fill(text);
    send(ends[0], text, 2, 0); /* ERROR */
    return 0;
}
