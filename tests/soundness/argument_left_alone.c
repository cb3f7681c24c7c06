// steam: expect=none
/* What main hands over before it creates a thread, on its stack and on the heap, and does not touch
 * again before the thread was joined. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct task {
    int input, output;
};

static void *square(void *argument)
{
    struct task *task = argument;
    task->output = task->input * task->input;
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    struct task local[2], *tasks[4] = {&local[0], malloc(sizeof *tasks[1]), &local[1],
                                       malloc(sizeof *tasks[3])};
    for (int i = 0; i < 4; i++) {
        tasks[i]->input = i;
        pthread_create(&threads[i], NULL, square, tasks[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++)
        assert(tasks[i]->output == i * i);
    free(tasks[1]);
    free(tasks[3]);
    return 0;
}
