/* Monitors as in Java, over pthreads, for C and C++: a lock that its holder may take again, and one
 * condition.
 *
 *     static struct monitor m = MONITOR;      or monitor_init(&m) before its first use
 *     synchronized(&m) {                      left by its end, `return`, `break` or an exception
 *         while (!ready)
 *             monitor_wait(&m);
 *         monitor_notify(&m);                 wakes one of those who wait
 *         monitor_notify_all(&m);             wakes all of them
 *     }
 *
 * Nothing here is known to the model checker: it sees the functions of pthreads. */
#ifndef STEAM_MONITOR_H
#define STEAM_MONITOR_H

#include <pthread.h>

#define STEAM_MONITOR_INLINE static __inline__ __attribute__((__always_inline__, __unused__))

struct monitor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* How often its holder has entered; changed under the lock alone. */
    unsigned int depth;
};

#ifdef __PTHREAD_MUTEX_INITIALIZER
#define MONITOR                                                                                    \
    {                                                                                              \
        {{__PTHREAD_MUTEX_INITIALIZER(PTHREAD_MUTEX_RECURSIVE_NP)}}, PTHREAD_COND_INITIALIZER, 0   \
    }
#endif

STEAM_MONITOR_INLINE void monitor_init(struct monitor *monitor)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&monitor->lock, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_cond_init(&monitor->changed, 0);
    monitor->depth = 0;
}

STEAM_MONITOR_INLINE void monitor_destroy(struct monitor *monitor)
{
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->lock);
}

STEAM_MONITOR_INLINE void monitor_enter(struct monitor *monitor)
{
    pthread_mutex_lock(&monitor->lock);
    monitor->depth++;
}

STEAM_MONITOR_INLINE void monitor_exit(struct monitor *monitor)
{
    monitor->depth--;
    pthread_mutex_unlock(&monitor->lock);
}

/* Gives the monitor up altogether, however often its holder has entered. */
STEAM_MONITOR_INLINE void monitor_wait(struct monitor *monitor)
{
    unsigned int depth = monitor->depth, again;
    monitor->depth = 0;
    for (again = 1; again < depth; again++)
        pthread_mutex_unlock(&monitor->lock);
    pthread_cond_wait(&monitor->changed, &monitor->lock);
    for (again = 1; again < depth; again++)
        pthread_mutex_lock(&monitor->lock);
    monitor->depth = depth;
}

STEAM_MONITOR_INLINE void monitor_notify(struct monitor *monitor)
{
    pthread_cond_signal(&monitor->changed);
}

STEAM_MONITOR_INLINE void monitor_notify_all(struct monitor *monitor)
{
    pthread_cond_broadcast(&monitor->changed);
}

/* A monitor that is entered for the time of a block. */
struct steam_synchronized {
    struct monitor *monitor;
    int over;
};

STEAM_MONITOR_INLINE struct steam_synchronized steam_synchronized_begin(struct monitor *monitor)
{
    struct steam_synchronized block = {monitor, 0};
    monitor_enter(monitor);
    return block;
}

static __inline__ __attribute__((__unused__)) void
steam_synchronized_end(struct steam_synchronized *block)
{
    monitor_exit(block->monitor);
}

#define synchronized(monitor)                                                                      \
    for (struct steam_synchronized steam_block                                                     \
         __attribute__((__cleanup__(steam_synchronized_end))) = steam_synchronized_begin(monitor); \
         !steam_block.over; steam_block.over = 1)

#endif
