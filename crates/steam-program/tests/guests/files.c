/* Open files: reading, writing, seeking, descriptors, status. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>
#include "call.h"

static char buffer[64];
static struct stat status;

static void transfers(int fd)
{
    CALL(write(fd, "hello world\n", 12));
    CALL(lseek(fd, 0, SEEK_SET));
    CALL(read(fd, buffer, 5));
    CALL(pread(fd, buffer, 5, 6));
    puts(buffer);
    CALL(pwrite(fd, "XY", 2, 3));
    CALL(lseek(fd, 0, SEEK_CUR));
    CALL(lseek(fd, -3, SEEK_END));
    CALL(lseek(fd, -300, SEEK_END));
    CALL(lseek(fd, 0, 77));
    CALL(pread(fd, buffer, 5, -1));
    struct iovec parts[3] = {{"ab", 2}, {"", 0}, {"cdef", 4}};
    CALL(writev(fd, parts, 3));
    CALL(writev(fd, parts, -1));
    CALL(ftruncate(fd, 8));
    CALL(ftruncate(fd, -1));
    CALL(lseek(fd, 20, SEEK_SET));
    CALL(write(fd, "z", 1));
    CALL(fstat(fd, &status));
    printf("size %ld mode %o links %d block %ld\n", (long)status.st_size, status.st_mode,
           (int)status.st_nlink, (long)status.st_blksize);
    CALL(pread(fd, buffer, 64, 0));
    for (int i = 0; i < 21; i++)
        printf("%02x ", buffer[i]);
    puts("");
    struct iovec places[2] = {{buffer, 3}, {buffer + 10, 50}};
    CALL(lseek(fd, 0, SEEK_SET));
    CALL(readv(fd, places, 2));
    CALL(preadv(fd, places, 2, 4));
    CALL(pwritev(fd, parts, 3, 1));
    CALL(read(fd, buffer, 10));
    CALL(read(fd, (void *)1, 10) == -1 && errno == EFAULT ? 1 : 0);
    CALL(pread(fd, (void *)1, 10, 0));
    CALL(write(fd, (void *)1, 10));
    CALL(posix_fallocate(fd, 0, 100));
    CALL(fsync(fd));
}

static void descriptors(int fd, const char *path)
{
    CALL(dup(fd));
    CALL(dup2(fd, 9));
    CALL(dup2(fd, fd));
    CALL(dup2(77, 9));
    CALL(dup3(fd, 9, O_CLOEXEC));
    CALL(dup3(9, 9, 0));
    CALL(fcntl(9, F_GETFD));
    CALL(fcntl(9, F_SETFD, 0));
    CALL(fcntl(9, F_GETFD));
    CALL(fcntl(9, F_GETFL) & 03003);
    CALL(fcntl(9, F_SETFL, O_APPEND));
    CALL(fcntl(fd, F_GETFL) & 03003);
    CALL(write(9, "app", 3));
    CALL(lseek(fd, 0, SEEK_CUR));
    CALL(fcntl(fd, F_DUPFD, 20));
    CALL(fcntl(fd, F_DUPFD_CLOEXEC, 20));
    CALL(fcntl(fd, 9999));
    struct flock lock = {.l_type = F_WRLCK};
    CALL(fcntl(fd, F_SETLK, &lock));
    CALL(close_range(20, 21, 0));
    CALL(close(20));
    CALL(isatty(fd));
    int waiting;
    CALL(ioctl(0, TIOCGWINSZ, buffer));
    CALL(lseek(fd, 1, SEEK_SET));
    CALL(ioctl(fd, FIONREAD, &waiting));
    printf("%d\n", waiting);
    int reader = open(path, O_RDONLY), writer = open(path, O_WRONLY);
    CALL(write(reader, "x", 1));
    CALL(read(writer, buffer, 1));
    CALL(read(78, buffer, 1));
    off_t from = 5;
    CALL(sendfile(writer, reader, &from, 10));
    printf("%ld\n", (long)from);
    CALL(sendfile(writer, reader, NULL, 4));
    CALL(lseek(reader, 0, SEEK_CUR));
}

static void streams(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 2000; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
    file = fopen(path, "r");
    char line[100];
    int lines = 0;
    while (fgets(line, sizeof line, file))
        lines++;
    printf("%d lines, last %s", lines, line);
    fseek(file, 7, SEEK_SET);
    printf("%s at %ld\n", fgets(line, sizeof line, file), ftell(file));
    fclose(file);
    file = fopen(path, "r+");
    fputs("LINE", file);
    rewind(file);
    printf("%s", fgets(line, sizeof line, file));
    fclose(file);
    file = tmpfile();
    fprintf(file, "temporary");
    rewind(file);
    printf("%s\n", fgets(line, sizeof line, file));
    fclose(file);
}

static void devices(void)
{
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
    CALL(write(null, "gone", 4));
    CALL(read(null, buffer, 4));
    CALL(read(zero, buffer, 4));
    printf("%d\n", buffer[0]);
    CALL(write(open("/dev/full", O_WRONLY), "x", 1));
    CALL(read(open("/dev/urandom", O_RDONLY), buffer, 16));
    CALL(fstat(null, &status));
    printf("%o %d\n", status.st_mode, (int)status.st_rdev);
    CALL(write(open("/dev/stdout", O_WRONLY), "by name\n", 8));
    struct statfs system;
    CALL(statfs("/tmp", &system));
    CALL(access("/etc/passwd", R_OK));
    CALL(stat("/etc/passwd", &status));
    printf("%o %d\n", status.st_mode, status.st_size > 0);
    CALL(open("/etc", O_RDWR));
    CALL(lseek(0, 0, SEEK_SET));
    CALL(read(0, buffer, 5));
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    char path[] = "/tmp/steam-files-XXXXXX";
    int fd = mkstemp(path);
    transfers(fd);
    descriptors(fd, path);
    streams(path);
    devices();
    CALL(unlink(path));
    CALL(fstat(fd, &status));
    printf("links %d\n", (int)status.st_nlink);
    return 0;
}
