// steam: error=none
/* Stacks that are not the stack: coroutines on heap blocks by makecontext, and a signal handler on a heap block. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static ucontext_t main_context, contexts[3];
static int turns[3];
static volatile int handled;

static void body(int id)
{
    char local[512];
    memset(local, id, sizeof local);
    for (int i = 0; i < 4; i++) {
        turns[id] += local[i * 100] + 1;
        swapcontext(&contexts[id], &main_context);
    }
}
static void handler(int number)
{
    char local[1024];
    memset(local, number, sizeof local);
    handled += local[1023] == number;
}

int main(void)
{
    void *stacks[3];
    for (int i = 0; i < 3; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i] = malloc(65536);
        contexts[i].uc_stack.ss_size = 65536;
        contexts[i].uc_link = &main_context;
        makecontext(&contexts[i], (void (*)(void))body, 1, i);
    }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 3; i++)
            if (round < 4 || i == 1)
                swapcontext(&main_context, &contexts[i]);
    printf("%d %d %d\n", turns[0], turns[1], turns[2]);
    stack_t alternate = {.ss_sp = malloc(32768), .ss_size = 32768};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&alternate, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    printf("handled %d\n", handled);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    for (int i = 0; i < 3; i++)
        free(stacks[i]);
    return 0;
}
