// no race
/* Both threads print: the library locks the stream, and each prints its own. */
#include <pthread.h>
#include <stdio.h>

static void *speak(void *name)
{
    printf("here is %s\n", (const char *)name);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, speak, "the thread");
    speak("main");
    pthread_join(thread, NULL);
    return 0;
}
