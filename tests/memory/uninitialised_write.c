// steam: error=uninitialised
#include <unistd.h>

__attribute__((noipa)) static void fill(char *text) {
    text[0] = 'a';
    text[2] = '\n';
}

int main(void) {
    char text[3];
    fill(text);
    write(1, text, 3); /* ERROR */
    return 0;
}
