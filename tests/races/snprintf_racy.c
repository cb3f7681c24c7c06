// race: status 10 19
/* A status line is formatted by one thread and printed by another. */
#include <pthread.h>
#include <stdio.h>

static char status[16] = "0 done";

static void *report(void *number)
{
    snprintf(status, sizeof status, "%d done", *(int *)number);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int number = 3;
    pthread_create(&thread, NULL, report, &number);
    puts(status);
    pthread_join(thread, NULL);
    return 0;
}
