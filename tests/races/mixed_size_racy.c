// race: address 12 20
/* A word is written as a whole while another thread reads its third byte. */
#include <pthread.h>

static union {
    unsigned whole;
    unsigned char bytes[4];
} address;

static void *assign(void *unused)
{
    address.whole = 0x0a000001;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, assign, NULL);
    unsigned char third = address.bytes[3];
    pthread_join(thread, NULL);
    return third != 0 && third != 0x0a;
}
