#include "IVMThread.h"
#include "MyThread.h"

extern int glob;

class IVMThread;
MyThread::MyThread()
  :IVMThread::IVMThread() {
}
void MyThread::start() {
  run();
  die();
}

void MyThread::run() {
  glob=(glob+1)*ID;
}

void MyThread::die() {
}

int MyThread::id_counter;
