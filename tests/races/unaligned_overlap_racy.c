// race: packet[4] 11 20
/* A word at an odd address overlaps the byte that another thread writes. */
#include <pthread.h>
#include <string.h>

static unsigned char packet[8];

static void *set_length(void *unused)
{
    unsigned length = 0x01020304;
    memcpy(packet + 1, &length, sizeof length);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_length, NULL);
    packet[0] = 9;
    packet[4] = 7;
    packet[5] = 8;
    pthread_join(thread, NULL);
    return packet[4] != 7 && packet[4] != 1;
}
