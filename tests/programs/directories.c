/* Lists a fixture directory: opendir, readdir, scandir, nftw, glob, fnmatch, realpath-free, getcwd, chdir. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) {
        perror(path);
        return;
    }
    char *names[32];
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) && count < 32;)
        names[count++] = strdup(entry->d_name);
    rewinddir(directory);
    int again = 0;
    while (readdir(directory))
        again++;
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, by_name);
    printf("%s: %d entries, again %d\n", path, count, again);
    for (int i = 0; i < count; i++) {
        char full[256];
        struct stat info;
        snprintf(full, sizeof full, "%s/%s", path, names[i]);
        if (stat(full, &info) == 0)
            printf("  %s %c %ld\n", names[i], S_ISDIR(info.st_mode) ? 'd' : '-', S_ISDIR(info.st_mode) ? 0L : (long)info.st_size);
        free(names[i]);
    }
}

static long bytes;
static int files, folders;
static int visit(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)path;
    if (type == FTW_F)
        files++, bytes += (long)info->st_size;
    else
        folders++;
    return where->level > 5;
}
static int only_text(const struct dirent *entry) { return fnmatch("*.txt", entry->d_name, 0) == 0; }

int main(void)
{
    list("fixtures/listing");
    list("fixtures/missing");
    printf("walk %d", nftw("fixtures/listing", visit, 8, FTW_PHYS));
    printf(": %d files, %d folders, %ld bytes\n", files, folders, bytes);
    struct dirent **found;
    int n = scandir("fixtures/listing", &found, only_text, alphasort);
    for (int i = 0; i < n; i++) {
        printf("text: %s\n", found[i]->d_name);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    glob_t matches;
    printf("glob %d:", glob("fixtures/listing/[a-b]*.*", 0, NULL, &matches));
    for (size_t i = 0; i < matches.gl_pathc; i++)
        printf(" %s", matches.gl_pathv[i]);
    globfree(&matches);
    printf("\nfnmatch %d %d %d\n", fnmatch("a[!b-d]*z?", "aexyzz1", 0), fnmatch("*/x", "a/b/x", FNM_PATHNAME), fnmatch("CASE", "case", FNM_CASEFOLD));
    char before[512], after[512];
    if (!getcwd(before, sizeof before) || chdir("fixtures/listing") != 0 || !getcwd(after, sizeof after))
        return 1;
    printf("moved by '%s'\n", after + strlen(before));
    FILE *f = fopen("inner/../beta.dat", "r");
    char word[16];
    printf("%d %s\n", fscanf(f, "%15s", word), word);
    fclose(f);
    char one[] = "/usr/lib/name.so", two[] = "/usr/lib/name.so";
    printf("%s %s\n", dirname(one), basename(two));
    return 0;
}
