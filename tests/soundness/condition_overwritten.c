// steam: expect=overwritten
/* A condition is used that holds a text. */
#include <pthread.h>
#include <string.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void)
{
    strcpy((char *)&condition, "text");
    pthread_cond_signal(&condition);
    return 0;
}
