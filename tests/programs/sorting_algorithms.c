/* Nine sorting algorithms over the same inputs; each must agree with the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 400
static unsigned seed;
static unsigned random_number(void) { return (seed = seed * 1664525u + 1013904223u) >> 8; }
static long compares, swaps;

static int less(int a, int b)
{
    compares++;
    return a < b;
}
static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b, *b = t;
    swaps++;
}

static void bubble(int *v, int n)
{
    for (int changed = 1; changed && n > 1; n--) {
        changed = 0;
        for (int i = 1; i < n; i++)
            if (less(v[i], v[i - 1]))
                swap(&v[i], &v[i - 1]), changed = 1;
    }
}
static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        for (; j > 0 && less(x, v[j - 1]); j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}
static void selection(int *v, int n)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (less(v[j], v[least]))
                least = j;
        swap(&v[i], &v[least]);
    }
}
static void shell(int *v, int n)
{
    for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && less(v[j], v[j - gap]); j -= gap)
                swap(&v[j], &v[j - gap]);
}
static void sift(int *v, int i, int n)
{
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && less(v[child], v[child + 1]))
            child++;
        if (!less(v[i], v[child]))
            return;
        swap(&v[i], &v[child]);
    }
}
static void heap(int *v, int n)
{
    for (int i = n / 2; i-- > 0;)
        sift(v, i, n);
    while (n-- > 1) {
        swap(&v[0], &v[n]);
        sift(v, 0, n);
    }
}
static void quick(int *v, int n)
{
    while (n > 1) {
        int pivot = v[n / 2], i = 0, j = n - 1;
        while (i <= j) {
            while (less(v[i], pivot))
                i++;
            while (less(pivot, v[j]))
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        quick(v, j + 1);
        v += i, n -= i;
    }
}
static void merge(int *v, int n)
{
    if (n < 2)
        return;
    int half = n / 2, *left = malloc(sizeof(int) * (size_t)half);
    merge(v, half);
    merge(v + half, n - half);
    memcpy(left, v, sizeof(int) * (size_t)half);
    for (int i = 0, j = half, k = 0; i < half;)
        v[k++] = j < n && less(v[j], left[i]) ? v[j++] : left[i++];
    free(left);
}
static void radix(int *v, int n)
{
    int *other = malloc(sizeof(int) * (size_t)n);
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = {0};
        for (int i = 0; i < n; i++)
            count[(((unsigned)v[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            count[i + 1] += count[i];
        for (int i = 0; i < n; i++)
            other[count[((unsigned)v[i] ^ 0x80000000u) >> shift & 255]++] = v[i];
        memcpy(v, other, sizeof(int) * (size_t)n);
    }
    free(other);
}
static void comb(int *v, int n)
{
    for (int gap = n, changed = 1; gap > 1 || changed;) {
        gap = gap > 1 ? gap * 10 / 13 : 1;
        changed = 0;
        for (int i = 0; i + gap < n; i++)
            if (less(v[i + gap], v[i]))
                swap(&v[i], &v[i + gap]), changed = 1;
    }
}

static const struct {
    const char *name;
    void (*sort)(int *, int);
} sorts[] = {{"bubble", bubble}, {"insertion", insertion}, {"selection", selection}, {"shell", shell}, {"heap", heap}, {"quick", quick}, {"merge", merge}, {"radix", radix}, {"comb", comb}};

static void fill(int *v, int kind)
{
    seed = 77;
    for (int i = 0; i < N; i++)
        v[i] = kind == 0 ? (int)random_number() - 8000000 : kind == 1 ? i * 3 : kind == 2 ? N - i : (int)(random_number() % 5);
}

int main(void)
{
    static const char *const kinds[] = {"random", "sorted", "reversed", "few"};
    for (int kind = 0; kind < 4; kind++) {
        int reference[N], v[N];
        fill(reference, kind);
        insertion(reference, N);
        for (size_t s = 0; s < sizeof sorts / sizeof *sorts; s++) {
            compares = swaps = 0;
            fill(v, kind);
            sorts[s].sort(v, N);
            printf("%-9s %-9s %s %ld %ld\n", kinds[kind], sorts[s].name, memcmp(v, reference, sizeof v) ? "WRONG" : "ok", compares, swaps);
        }
        printf("%d %d %d\n", reference[0], reference[N / 2], reference[N - 1]);
    }
    return 0;
}
