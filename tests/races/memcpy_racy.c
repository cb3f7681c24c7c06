// race: buffer 11 20
/* A block is copied out of a buffer while another thread copies into it. */
#include <pthread.h>
#include <string.h>

static char buffer[16] = "...............";
size_t length = sizeof buffer; /* the compiler does not know it, and calls the library */

static void *fill(void *text)
{
    memcpy(buffer, text, length);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char text[16] = "0123456789abcde", copy[16];
    pthread_create(&thread, NULL, fill, text);
    memcpy(copy, buffer, length);
    pthread_join(thread, NULL);
    return copy[14] != '.' && copy[14] != 'e';
}
