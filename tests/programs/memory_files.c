// steam: levels=O1
/* Files in memory alone: flags and names that memfd_create knows and refuses, and that they are files. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void make(const char *name, unsigned flags)
{
    int file = memfd_create(name, flags);
    printf("%zu %#x: %d\n", strlen(name), flags, file < 0 ? errno : 0);
    if (file >= 0)
        close(file);
}

int main(void)
{
    static const unsigned flags[] = {0, 1, 2, 3, 0x18, 0x20, 0x8000, 0x54000000, 0x80000000};
    char name[300], bytes[4] = "";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        make("x", flags[i]);
    memset(name, 'a', sizeof name);
    name[249] = 0;
    make(name, 0);
    name[249] = 'a';
    name[250] = 0;
    make(name, 0);
    int file = memfd_create("kept", 0);
    printf("%zd\n", pwrite(file, "abc", 3, 0));
    printf("%zd %s\n", pread(file, bytes, sizeof bytes, 0), bytes);
    return close(file);
}
