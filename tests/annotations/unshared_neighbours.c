// steam: expect=none
/* Bytes of one word may be those of different threads. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static volatile char bytes[4];

static void *work(void *own)
{
    volatile char *byte = own;
    steam_unshared(byte, 1);
    *byte = 1;
    *byte = (char)(*byte + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)&bytes[i + 1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VASSERT(bytes[0] == 0 && bytes[1] == 2 && bytes[2] == 2 && bytes[3] == 0);
    return 0;
}
