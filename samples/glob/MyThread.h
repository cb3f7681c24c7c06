// The class of the paper's program; the paper does not print this file.
#ifndef MYTHREAD_H
#define MYTHREAD_H

#include "IVMThread.h"

class MyThread : public IVMThread {
public:
    using IVMThread::start;
    MyThread();
    void start();
    void run();
    void die();

private:
    static int id_counter;
};

#endif
