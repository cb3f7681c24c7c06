/* Performs operations on the objects of the real library and prints what they return.
 *
 * Each line of the input is "thread operation object value"; the threads take turns, so that
 * only one of them is ever inside the library. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, OBJECTS = 8 };

static pthread_mutex_t mutexes[OBJECTS];
static pthread_cond_t conditions[OBJECTS];
static pthread_rwlock_t rwlocks[OBJECTS];
static pthread_spinlock_t spins[OBJECTS];
static pthread_barrier_t barriers[OBJECTS];
static sem_t semaphores[OBJECTS];

struct command { char operation[16]; int object; unsigned value; };

static pthread_t threads[THREADS];
static int requests[THREADS][2], replies[2];

static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Object i is normal, recursive or error-checking by i % 3, and robust from 3 on. */
static int new_mutex(int object)
{
    static const int kinds[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                 PTHREAD_MUTEX_ERRORCHECK };
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kinds[object % 3]);
    if (object >= 3)
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    return pthread_mutex_init(&mutexes[object], &attributes);
}

static int error(int result) { return result == 0 ? 0 : errno; }

static int perform(const struct command *command)
{
    struct timespec time = soon();
    const char *name = command->operation;
    int object = command->object, value;
    pthread_mutex_t *mutex = &mutexes[object];
    pthread_rwlock_t *rwlock = &rwlocks[object];
    sem_t *semaphore = &semaphores[object];
    if (!strcmp(name, "m.new")) return new_mutex(object);
    if (!strcmp(name, "m.destroy")) return pthread_mutex_destroy(mutex);
    if (!strcmp(name, "m.lock")) return pthread_mutex_lock(mutex);
    if (!strcmp(name, "m.timed")) return pthread_mutex_timedlock(mutex, &time);
    if (!strcmp(name, "m.try")) return pthread_mutex_trylock(mutex);
    if (!strcmp(name, "m.unlock")) return pthread_mutex_unlock(mutex);
    if (!strcmp(name, "m.consistent")) return pthread_mutex_consistent(mutex);
    if (!strcmp(name, "c.wait")) return pthread_cond_timedwait(&conditions[object], mutex, &time);
    if (!strcmp(name, "c.signal")) return pthread_cond_signal(&conditions[object]);
    if (!strcmp(name, "c.broadcast")) return pthread_cond_broadcast(&conditions[object]);
    if (!strcmp(name, "rw.read")) return pthread_rwlock_rdlock(rwlock);
    if (!strcmp(name, "rw.timedread")) return pthread_rwlock_timedrdlock(rwlock, &time);
    if (!strcmp(name, "rw.tryread")) return pthread_rwlock_tryrdlock(rwlock);
    if (!strcmp(name, "rw.write")) return pthread_rwlock_wrlock(rwlock);
    if (!strcmp(name, "rw.timedwrite")) return pthread_rwlock_timedwrlock(rwlock, &time);
    if (!strcmp(name, "rw.trywrite")) return pthread_rwlock_trywrlock(rwlock);
    if (!strcmp(name, "rw.unlock")) return pthread_rwlock_unlock(rwlock);
    if (!strcmp(name, "s.lock")) return pthread_spin_lock(&spins[object]);
    if (!strcmp(name, "s.try")) return pthread_spin_trylock(&spins[object]);
    if (!strcmp(name, "s.unlock")) return pthread_spin_unlock(&spins[object]);
    if (!strcmp(name, "b.new")) return pthread_barrier_init(&barriers[object], 0, command->value);
    if (!strcmp(name, "b.wait")) return pthread_barrier_wait(&barriers[object]);
    if (!strcmp(name, "b.destroy")) return pthread_barrier_destroy(&barriers[object]);
    if (!strcmp(name, "sem.new")) return error(sem_init(semaphore, 0, command->value));
    if (!strcmp(name, "sem.wait")) return error(sem_wait(semaphore));
    if (!strcmp(name, "sem.timed")) return error(sem_timedwait(semaphore, &time));
    if (!strcmp(name, "sem.try")) return error(sem_trywait(semaphore));
    if (!strcmp(name, "sem.post")) return error(sem_post(semaphore));
    if (!strcmp(name, "sem.value")) return sem_getvalue(semaphore, &value), value;
    return -9999;
}

static void *serve(void *argument)
{
    int self = (int)(long)argument;
    struct command command;
    while (read(requests[self][0], &command, sizeof command) == sizeof command) {
        if (!strcmp(command.operation, "end"))
            break;
        int result = perform(&command);
        if (write(replies[1], &result, sizeof result) != sizeof result)
            break;
    }
    return 0;
}

int main(void)
{
    struct command command;
    int thread, result;
    if (pipe(replies))
        return 1;
    for (int i = 0; i < THREADS; i++) {
        if (pipe(requests[i]))
            return 1;
        pthread_create(&threads[i], 0, serve, (void *)(long)i);
    }
    for (int i = 0; i < OBJECTS; i++) {
        new_mutex(i);
        pthread_cond_init(&conditions[i], 0);
        pthread_rwlock_init(&rwlocks[i], 0);
        pthread_spin_init(&spins[i], 0);
        sem_init(&semaphores[i], 0, 0);
    }
    while (scanf("%d %15s %d %u", &thread, command.operation, &command.object, &command.value) == 4) {
        if (write(requests[thread][1], &command, sizeof command) != sizeof command)
            return 1;
        if (!strcmp(command.operation, "end")) {
            pthread_join(threads[thread], 0);
            pthread_create(&threads[thread], 0, serve, (void *)(long)thread);
            result = 0;
        } else if (read(replies[0], &result, sizeof result) != sizeof result) {
            return 1;
        }
        printf("%d\n", result);
    }
    return 0;
}
