/* POSIX files: open, read, write, pread, pwrite, lseek, dup2, readv/writev, fstat, truncate, rename, access, fcntl. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[] = "/tmp/descriptors_XXXXXX";
static char path[64], other[64];

static void check(const char *what, long result) { printf("%s: %ld%s%s\n", what, result, result < 0 ? " " : "", result < 0 ? strerror(errno) : ""); }

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/data", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0640);
    check("open", fd >= 0 ? 0 : -1);
    check("write", write(fd, "hello, descriptors", 18));
    check("seek", lseek(fd, 7, SEEK_SET));
    char text[64] = "";
    check("read", read(fd, text, 4));
    printf("%s\n", text);
    check("pread", pread(fd, text, 5, 0));
    printf("%.5s at %ld\n", text, (long)lseek(fd, 0, SEEK_CUR));
    check("pwrite", pwrite(fd, "HELLO", 5, 0));
    check("hole", lseek(fd, 100, SEEK_END));
    check("write", write(fd, "end", 3));
    struct stat info;
    check("fstat", fstat(fd, &info));
    printf("size %ld regular %d mode %o links %d\n", (long)info.st_size, S_ISREG(info.st_mode), (unsigned)info.st_mode & 0777u, (int)info.st_nlink);
    check("truncate", ftruncate(fd, 5));
    check("seek end", lseek(fd, 0, SEEK_END));

    struct iovec out[3] = {{" one", 4}, {" two", 4}, {" three", 6}};
    check("writev", writev(fd, out, 3));
    lseek(fd, 0, SEEK_SET);
    char a[6] = "", b[32] = "";
    struct iovec in[2] = {{a, 5}, {b, 31}};
    check("readv", readv(fd, in, 2));
    printf("%s|%s\n", a, b);

    int copy = dup(fd);
    lseek(copy, 2, SEEK_SET);
    check("shared offset", lseek(fd, 0, SEEK_CUR));
    check("dup2", dup2(fd, 50));
    check("close", close(fd));
    check("read 50", read(50, text, 3));
    printf("%.3s\n", text);
    check("closed", read(fd, text, 3));
    check("fcntl fd", fcntl(copy, F_SETFD, FD_CLOEXEC));
    check("fcntl fd", fcntl(copy, F_GETFD));
    printf("access mode %d\n", fcntl(copy, F_GETFL) & O_ACCMODE);
    close(copy), close(50);

    check("link away", rename(path, other));
    check("old name", access(path, F_OK));
    check("new name", access(other, R_OK | W_OK));
    fd = open(other, O_WRONLY | O_APPEND);
    check("append", write(fd, "!", 1));
    check("read from a writer", read(fd, text, 1));
    close(fd);
    check("stat", stat(other, &info));
    printf("size %ld\n", (long)info.st_size);
    check("again", open(other, O_CREAT | O_EXCL | O_RDWR, 0600));
    check("as folder", open(other, O_RDONLY | O_DIRECTORY));
    check("mkdir", mkdir(path, 0700));
    check("symlink", symlink("other", strcat(strcpy(text, folder), "/link")));
    char target[PATH_MAX];
    ssize_t n = readlink(text, target, sizeof target);
    printf("link to %.*s\n", (int)n, target);
    check("lstat", lstat(text, &info));
    printf("is link %d\n", S_ISLNK(info.st_mode));
    check("remove folder with files", rmdir(folder));
    unlink(text), unlink(other), rmdir(path);
    check("remove folder", rmdir(folder));
    fd = open("fixtures/listing/alpha.txt", O_RDONLY);
    check("fixture", read(fd, text, sizeof text));
    check("at the end", read(fd, text, sizeof text));
    check("write to a reader", write(fd, "x", 1));
    close(fd);
    check("bad", close(999));
    fd = open("/dev/null", O_RDWR);
    check("null write", write(fd, "gone", 4));
    check("null read", read(fd, text, 4));
    close(fd);
    return 0;
}
