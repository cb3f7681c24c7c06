// steam: error=uninitialised
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(8); /* ALLOC */
    text[0] = 'a';
    text[1] = 'b';
    size_t length = strlen(text); /* ERROR */
    free(text);
    return length > 8;
}
