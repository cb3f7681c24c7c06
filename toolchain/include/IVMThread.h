// The thread class of StEAM, on POSIX threads: a class derived from IVMThread is a thread.
//
//     class Worker : public IVMThread {
//     public:
//         void run() { ... }           // what the thread does
//     };
//     Worker *worker = new Worker();   // worker->ID: 2, 3, ... as constructed; main is 1
//     worker->start();                 // the thread runs
//     worker->join();                  // (StEAM had no join)
//
// A class may define `void start()` as StEAM's programs do: what the thread does from its
// beginning to its end, usually `{ run(); die(); }`. It then has to say `using IVMThread::start;`,
// because in C++ the definition hides the function that creates the thread.
//
// IVM_STACK_SIZE, defined before this file is included, is how many bytes the stacks of threads have:
// with the system's own size there is room for some 240 of them.
#ifndef IVMTHREAD_H
#define IVMTHREAD_H

#include <pthread.h>
#include <stdlib.h>

#include "steam.h"

class IVMThread {
public:
    // `start()` is written for two things: the call that creates the thread, and the definition of
    // what the thread does. The macro below gives both the text `start(IVMThread::Call())`. In a
    // call, `Call()` is a value; in a declaration it is the type of a function, that is, a pointer
    // to one. So the two are different functions, and overloading finds the right one.
    struct Call {};

    int ID;

    IVMThread() : ID(next_id()), thread(), started(false) {}

    virtual ~IVMThread()
    {
        if (started)
            pthread_detach(thread);
    }

    // Creates the thread.
    void start(Call = Call())
    {
        started = true;
#ifdef IVM_STACK_SIZE
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, IVM_STACK_SIZE);
        if (pthread_create(&thread, &attributes, begin, this) != 0)
            abort();
        pthread_attr_destroy(&attributes);
#else
        if (pthread_create(&thread, 0, begin, this) != 0)
            abort();
#endif
    }

    // What the thread does.
    virtual void start(Call (*)())
    {
        run();
        die();
    }

    virtual void run() = 0;

    // What the thread does last.
    virtual void die() {}

    // Waits until the thread has ended.
    void join()
    {
        if (started)
            pthread_join(thread, 0);
        started = false;
    }

private:
    pthread_t thread;
    bool started;

    IVMThread(const IVMThread &);
    IVMThread &operator=(const IVMThread &);

    static int next_id()
    {
        static int last = 1;
        return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    }

    static void *begin(void *self)
    {
        Call (*body)() = 0;
        static_cast<IVMThread *>(self)->start(body);
        return 0;
    }
};

typedef IVMThread ICVMThread;

#define start() start(IVMThread::Call())

#endif
