#include <assert.h>
#include "MyThread.h"
#define N 2

class MyThread;
MyThread * t[N];
int i,glob=0;

void initThreads () {
  BEGINATOMIC
  for(i=0;i<N;i++) {
    t[i]=new MyThread();
    t[i]->start();
  }
  ENDATOMIC
}

int main() {
  initThreads();
  VASSERT(glob!=8); /* ERROR */
}

/* The program of the StEAM paper, with its line numbers (this file is C++). Two threads compute
 * glob=(glob+1)*ID: 0, 2, 9 in the order of their numbers; 0, 3, 8 the other way round. */
// steam: expect=assert c++ with=MyThread.cc,MyThread.h
