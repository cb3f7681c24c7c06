/* The optical telegraph: a ring of stations, each with two operators, one for each direction. To begin
 * a conversation, or to answer one, an operator needs the station's control. An operator who has it
 * answers if somebody calls, and calls otherwise. When all call at the same time, all hold their
 * control and wait for somebody's attention. */
#ifndef OPTTEL_H
#define OPTTEL_H

#include <semaphore.h>
#include <stdlib.h>

#include "steam.h"

#ifndef N
#define N 2
#endif

enum { MOST = 2000 };
enum Signal { START, ATTENTION, DATA, STOP };

/* A line with room for one signal. */
struct Line {
    enum Signal signal;
    sem_t filled, empty;
};

static struct Line down[MOST], up[MOST];
static int controls[MOST];
static sem_t never;
static int count = N;

static void open_lines(void)
{
    sem_init(&never, 0, 0);
    for (int i = 0; i < count; i++) {
        sem_init(&down[i].filled, 0, 0);
        sem_init(&down[i].empty, 0, 1);
        sem_init(&up[i].filled, 0, 0);
        sem_init(&up[i].empty, 0, 1);
    }
}

static void show(struct Line *line, enum Signal signal)
{
    sem_wait(&line->empty);
    line->signal = signal;
    sem_post(&line->filled);
}

static enum Signal see(struct Line *line)
{
    sem_wait(&line->filled); /* ERROR */
    enum Signal signal = line->signal;
    sem_post(&line->empty);
    return signal;
}

/* Waits for a signal; after another one there is no way on. */
static void expect(struct Line *line, enum Signal signal)
{
    if (see(line) != signal)
        sem_wait(&never);
}

static int is_called(struct Line *line)
{
    if (sem_trywait(&line->filled) != 0)
        return 0;
    sem_post(&line->empty);
    return 1;
}

static void operate(int *control, struct Line *in, struct Line *out)
{
    for (;;) {
        VLOCK(control);
        if (is_called(in)) {
            show(out, ATTENTION);
            expect(in, DATA);
            show(out, DATA);
            expect(in, STOP);
            show(out, STOP);
        } else {
            show(out, START);
            expect(in, ATTENTION);
            show(out, DATA);
            expect(in, DATA);
            show(out, STOP);
            expect(in, STOP);
        }
        VUNLOCK(control);
    }
}

/* Operators 0 and 1 are those of station 0, and so on. */
static void operator_number(int number)
{
    int station = number / 2, next = (station + 1) % count;
    if (number % 2 == 0)
        operate(&controls[station], &down[station], &up[station]);
    else
        operate(&controls[station], &up[next], &down[next]);
}

#endif
