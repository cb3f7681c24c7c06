// no race
/* A semaphore in shared memory hands a word over to the child. */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct mailbox {
    sem_t sent;
    int word;
};

int main(void)
{
    int protection = PROT_READ | PROT_WRITE;
    struct mailbox *box = mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&box->sent, 1, 0);
    if (fork() == 0) {
        sem_wait(&box->sent);
        assert(box->word == 4);
        _exit(0);
    }
    box->word = 4;
    sem_post(&box->sent);
    wait(NULL);
    return 0;
}
