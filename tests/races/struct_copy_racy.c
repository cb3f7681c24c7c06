// race: position.x 15 24
// race: position.y 15 24
// race: position.z 15 24
/* A structure is copied as a whole while another thread assigns it. */
#include <pthread.h>

struct point {
    int x, y, z;
};

static struct point position = {1, 1, 1};

static void *move(void *to)
{
    position = *(const struct point *)to;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct point target = {2, 2, 2};
    pthread_create(&thread, NULL, move, &target);
    volatile struct point seen = position;
    pthread_join(thread, NULL);
    return seen.x + seen.y + seen.z > 6;
}
