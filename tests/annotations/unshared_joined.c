// steam: expect=none
/* Who joins a thread may have what it claimed. */
#include <pthread.h>
#include <stddef.h>
#include <steam.h>

static int buffers[2][2];

static void *work(void *own)
{
    int *buffer = own;
    steam_unshared(buffer, 2 * sizeof *buffer);
    buffer[0]++;
    buffer[1]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, buffers[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        VASSERT(buffers[i][0] == 1 && buffers[i][1] == 1);
        buffers[i][0] = 0;
    }
    return 0;
}
