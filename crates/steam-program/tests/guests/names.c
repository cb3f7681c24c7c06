/* Names of files: directories, links, renaming, times, permissions. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "call.h"

static int compare(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

static void list(const char *path)
{
    DIR *directory = opendir(path);
    char *names[20];
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        char text[300];
        sprintf(text, "%s/%d", entry->d_name, entry->d_type);
        names[count++] = strdup(text);
    }
    closedir(directory);
    qsort(names, count, sizeof *names, compare);
    for (int i = 0; i < count; i++)
        printf("%s%s", names[i], i + 1 < count ? " " : "\n");
}

static void show(const char *path)
{
    struct stat status;
    CALL(lstat(path, &status));
    printf("%s mode %o size %ld links %d\n", path, status.st_mode,
           S_ISREG(status.st_mode) ? (long)status.st_size : 0, (int)status.st_nlink);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    CALL(write(fd, text, strlen(text)));
    close(fd);
}

int main(void)
{
    char root[] = "/tmp/steam-names-XXXXXX", here[200], text[100] = "";
    umask(022);
    CALL(chdir(mkdtemp(root)));
    CALL(strcmp(getcwd(here, sizeof here), root));
    CALL(mkdir("sub", 0777));
    CALL(mkdir("sub", 0777));
    CALL(mkdir("none/sub", 0777));
    CALL(mkdir("sub/deep", 0700));
    write_file("a", "content of a");
    write_file("sub/b", "b");
    CALL(open("a", O_CREAT | O_EXCL | O_RDWR, 0644));
    CALL(open("none", O_RDONLY));
    CALL(open("a/x", O_RDONLY));
    CALL(open("", O_RDONLY));
    CALL(open("sub", O_WRONLY));
    CALL(open("a", O_RDONLY | O_DIRECTORY));
    CALL(rename("a", "sub/c"));
    CALL(access("a", F_OK));
    CALL(access("sub/c", R_OK | W_OK));
    CALL(symlink("sub/c", "link"));
    CALL(symlink("sub/c", "link"));
    CALL(readlink("link", text, sizeof text));
    puts(text);
    CALL(readlink("sub", text, sizeof text));
    show("link");
    CALL(open("link", O_RDONLY | O_NOFOLLOW));
    CALL(link("sub/c", "hard"));
    show("hard");
    CALL(symlink("loop", "loop"));
    CALL(open("loop", O_RDONLY));
    CALL(symlink("../sub/deep/..", "sub/back"));
    CALL(access("sub/back/../hard", F_OK));
    CALL(chmod("hard", 0600));
    show("sub/c");
    CALL(truncate("hard", 4));
    show("hard");
    struct timespec times[2] = {{1000, 5}, {2000, 7}};
    CALL(utimensat(AT_FDCWD, "hard", times, 0));
    struct stat status;
    stat("sub/c", &status);
    printf("%ld %ld\n", (long)status.st_atime, (long)status.st_mtime);
    list(".");
    list("sub");
    int directory = open("sub", O_RDONLY | O_DIRECTORY);
    CALL(openat(directory, "b", O_RDONLY));
    CALL(mkdirat(directory, "made", 0700));
    CALL(renameat(directory, "made", directory, "moved"));
    CALL(unlinkat(directory, "moved", 0));
    CALL(unlinkat(directory, "moved", AT_REMOVEDIR));
    CALL(faccessat(directory, "b", R_OK, 0));
    CALL(fstatat(directory, "", &status, AT_EMPTY_PATH));
    printf("%o\n", status.st_mode);
    CALL(read(directory, text, 10));
    CALL(rmdir("sub"));
    CALL(unlink("sub"));
    CALL(rename("sub", "sub/deep/er"));
    CALL(rename("sub", "other"));
    list("other");
    CALL(rename("other", "hard"));
    CALL(rename("hard", "other"));
    CALL(fchdir(directory));
    CALL(unlink("c"));
    CALL(unlink("b"));
    CALL(unlink("back"));
    CALL(rmdir("deep"));
    CALL(chdir(".."));
    CALL(strcmp(getcwd(here, sizeof here), root));
    CALL(rmdir("other"));
    CALL(unlink("link"));
    CALL(unlink("loop"));
    CALL(unlink("hard"));
    CALL(unlink("hard"));
    list(".");
    CALL(chdir("/"));
    CALL(rmdir(root));
    CALL(unlink("/none/x"));
    CALL(umask(077));
    return 0;
}
