// race: name 11 19
/* A name is changed by strcpy while another thread measures it. */
#include <pthread.h>
#include <string.h>

static char name[16] = "old";
const char *new_name = "newer";

static void *rename_it(void *unused)
{
    strcpy(name, new_name);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    size_t length = strlen(name);
    pthread_join(thread, NULL);
    return length > 5;
}
