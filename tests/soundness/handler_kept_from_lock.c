// steam: expect=none
/* Who blocks the signal while it holds the lock may use the lock in the handler. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, signals;

static void handle(int number)
{
    (void)number;
    pthread_mutex_lock(&lock);
    signals++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pid_t parent = getpid();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaction(SIGUSR1, &action, 0);
    pid_t child = fork();
    if (child == 0) {
        kill(parent, SIGUSR1);
        _exit(0);
    }
    sigprocmask(SIG_BLOCK, &set, 0);
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    waitpid(child, 0, 0);
}
