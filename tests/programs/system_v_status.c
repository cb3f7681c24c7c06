// steam: levels=O1
/* What System V facilities tell of who used them and when, and the limits of the system. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef IPC_INFO
#define IPC_INFO 3
#endif

union semun {
	int val;
	struct semid_ds *buf;
	unsigned short *array;
	struct seminfo *info;
};

static void tell(int answer)
{
	printf("%d %d\n", answer, answer < 0 ? errno : 0);
}

static const char *who(int process, int child)
{
	return process == 0 ? "nobody" : process == getpid() ? "parent" : process == child ? "child" : "another";
}

static void show_set(int set)
{
	struct semid_ds it;
	int answer = semctl(set, 0, IPC_STAT, (union semun){.buf = &it});
	printf("set %d: %d %d, %o %d\n", answer, it.sem_otime != 0, it.sem_ctime != 0, it.sem_perm.mode, (int)it.sem_nsems);
}

static void semaphores(void)
{
	int set = semget(IPC_PRIVATE, 3, 0600), other = semget(IPC_PRIVATE, 1, 0600);
	struct semid_ds it;
	struct seminfo info;
	unsigned short values[3] = {1, 2, 3};
	show_set(set);
	printf("%s\n", who(semctl(set, 0, GETPID), 0));
	semctl(set, 0, SETVAL, (union semun){.val = 0});
	printf("%s %s\n", who(semctl(set, 0, GETPID), 0), who(semctl(set, 1, GETPID), 0));
	show_set(set);
	pid_t child = fork();
	if (child == 0) {
		struct sembuf both[] = {{1, 1, SEM_UNDO}, {0, 0, 0}};
		semop(set, both, 2);
		_exit(0);
	}
	waitpid(child, 0, 0);
	show_set(set);
	for (int i = 0; i < 3; i++)
		printf("%s %d\n", who(semctl(set, i, GETPID), child), semctl(set, i, GETVAL));
	semctl(set, 0, SETALL, (union semun){.array = values});
	printf("%s %s\n", who(semctl(set, 0, GETPID), 0), who(semctl(set, 2, GETPID), 0));
	printf("%d %d\n", semctl(set, 0, GETNCNT), semctl(set, 2, GETZCNT));
	tell(semctl(set, 3, GETPID));
	tell(semctl(set, 3, GETNCNT));
	tell(semctl(-1, 9, SETVAL, (union semun){.val = 40000}));
	semctl(set, 0, IPC_STAT, (union semun){.buf = &it});
	it.sem_perm.mode = 0640;
	printf("%d\n", semctl(set, 0, IPC_SET, (union semun){.buf = &it}));
	show_set(set);
	semctl(0, 0, IPC_INFO, (union semun){.info = &info});
	printf("%d %d %d %d %d %d %d %d %d %d\n", info.semmap, info.semmni, info.semmns, info.semmnu, info.semmsl, info.semopm,
	       info.semume, info.semusz, info.semvmx, info.semaem);
	int highest = semctl(0, 0, SEM_INFO, (union semun){.info = &info}), found = 0;
	printf("%d %d\n", info.semusz >= 2, info.semaem >= 4);
	for (int i = 0; i <= highest; i++) {
		int id = semctl(i, 0, SEM_STAT, (union semun){.buf = &it});
		found += id == set && it.sem_nsems == 3 || id == other && it.sem_nsems == 1;
	}
	printf("found %d\n", found);
	semctl(set, 0, IPC_RMID);
	semctl(other, 0, IPC_RMID);
}

static void show_queue(int queue, int child)
{
	struct msqid_ds it;
	int answer = msgctl(queue, IPC_STAT, &it);
	printf("queue %d: %d %d %d, %s %s, %d %d\n", answer, it.msg_stime != 0, it.msg_rtime != 0, it.msg_ctime != 0,
	       who(it.msg_lspid, child), who(it.msg_lrpid, child), (int)it.msg_qnum, (int)it.msg_qbytes);
}

static void queues(void)
{
	int queue = msgget(IPC_PRIVATE, 0600);
	struct { long kind; char text[8]; } message = {3, "hello"};
	struct msginfo info;
	struct msqid_ds it;
	show_queue(queue, 0);
	msgsnd(queue, &message, 6, 0);
	show_queue(queue, 0);
	msgctl(0, IPC_INFO, (struct msqid_ds *)&info);
	printf("%d %d %d %d %d %d %d %d\n", info.msgpool, info.msgmap, info.msgmax, info.msgmnb, info.msgmni, info.msgssz,
	       info.msgtql, info.msgseg);
	int highest = msgctl(0, MSG_INFO, (struct msqid_ds *)&info), found = 0;
	printf("%d %d %d\n", info.msgpool >= 1, info.msgmap >= 1, info.msgtql >= 6);
	for (int i = 0; i <= highest; i++)
		found += msgctl(i, MSG_STAT, &it) == queue && it.msg_qnum == 1;
	printf("found %d\n", found);
	pid_t child = fork();
	if (child == 0) {
		msgrcv(queue, &message, 8, 0, 0);
		_exit(0);
	}
	waitpid(child, 0, 0);
	show_queue(queue, child);
	msgctl(queue, IPC_STAT, &it);
	it.msg_qbytes = 100;
	printf("%d\n", msgctl(queue, IPC_SET, &it));
	show_queue(queue, child);
	msgctl(queue, IPC_RMID, 0);
}

static void show_segment(int segment, int child)
{
	struct shmid_ds it;
	int answer = shmctl(segment, IPC_STAT, &it);
	printf("segment %d: %d %d %d, %s %s, %d %d %o\n", answer, it.shm_atime != 0, it.shm_dtime != 0, it.shm_ctime != 0,
	       who(it.shm_cpid, child), who(it.shm_lpid, child), (int)it.shm_nattch, (int)it.shm_segsz, it.shm_perm.mode);
}

static void segments(void)
{
	int segment = shmget(IPC_PRIVATE, 5000, 0600);
	struct shminfo info;
	struct shmid_ds it;
	show_segment(segment, 0);
	void *memory = shmat(segment, 0, 0);
	show_segment(segment, 0);
	pid_t child = fork();
	if (child == 0) {
		shmdt(memory);
		_exit(0);
	}
	waitpid(child, 0, 0);
	show_segment(segment, child);
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, 0, 0);
	show_segment(segment, child);
	shmctl(segment, IPC_STAT, &it);
	it.shm_perm.mode = 0640;
	printf("%d\n", shmctl(segment, IPC_SET, &it));
	shmctl(segment, SHM_LOCK, 0);
	show_segment(segment, child);
	shmctl(segment, SHM_UNLOCK, 0);
	shmctl(segment, IPC_RMID, 0);
	show_segment(segment, child);
	shmctl(segment, IPC_STAT, &it);
	shmctl(segment, IPC_SET, &it);
	show_segment(segment, child);
	munmap(memory, 8192);
	tell(shmctl(segment, IPC_STAT, &it));
	shmctl(0, IPC_INFO, (struct shmid_ds *)&info);
	printf("%lu %lu %lu\n", info.shmmin, info.shmmni, info.shmseg);
}

int main(void)
{
	semaphores();
	queues();
	segments();
	return 0;
}
