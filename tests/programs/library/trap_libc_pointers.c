/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_libc_pointers
 * about: library functions move pointers: strsep, getsubopt, iconv, mbsrtowcs, getopt, qsort, lsearch, hsearch, tfind,
 * about: wordexp, %ms, environ
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <iconv.h>
#include <mpi.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

struct item { int key, alias; int *count; };
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int by_alias(const void *a, const void *b)
{
    return *(const int *)a - ((const struct item *)b)->alias;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void arrays(void)
{
    int one = 1, two = 2, three = 3, alias = 2 * size;
    struct item t[3] = { { 9, 1, &one }, { 2, 2, &two }, { 5, 3, &three } }, all[4], key = { 4, 6, &one }, *found;
    static struct item tree[4];
    char a[4] = "z1", b[4] = "a2", *names[2];
    size_t n = 0;
    void *root = NULL;
    names[0] = a;
    names[1] = b;
    qsort(t, 3, sizeof *t, by_key);
    qsort(names, 2, sizeof *names, by_name);
    one = size + 1;
    meet(*t[2].count);
    meet(t[0].alias * 9 + t[1].alias * 3 + t[2].alias);
    *t[0].count = size + 6;
    meet(two);
    b[1] = (char)('0' + size);
    meet(names[0][1] - '0');
    lsearch(&key, all, &n, sizeof *all, by_key);
    key.key = 9;
    key.count = &three;
    lsearch(&key, all, &n, sizeof *all, by_key);
    three = size + 11;
    meet(*all[1].count);
    meet(all[0].key + all[0].alias + (all[0].count == &one));
    for (int i = 0; i < 4; i++) {
        tree[i].key = i;
        tree[i].alias = i * size;
        tsearch(&tree[i], &root, by_key);
    }
    for (; alias <= 2 * size + 1; alias++)
        meet(tfind(&alias, &root, by_alias) ? 3 : 9);
    found = bsearch(&t[1], t, 3, sizeof *t, by_key);
    *found->count = size + 15;
    meet(three);
}

static void table(void)
{
    int counts[3] = { 0, 0, 0 };
    ENTRY e = { .key = "one", .data = &counts[1] };
    hcreate(10);
    hsearch(e, ENTER);
    e.key = "two";
    e.data = &counts[2];
    hsearch(e, ENTER);
    counts[2] = size + 20;
    meet(*(int *)hsearch(e, FIND)->data);
    e.key = "one";
    *(int *)hsearch(e, FIND)->data = size + 30;
    meet(counts[1]);
}

static void strings(void)
{
    char list[16] = "a,b,c", opts[16] = "m=x,n=y,k=z", in[4] = "abc", out[16], wide[8] = "xy1", *p = list, *q = opts,
        *val, *ip = in, *op = out;
    char *const names[] = { "n", "m", NULL };
    const char *w = wide;
    size_t left = 3, room = 16;
    wchar_t ws[8];
    mbstate_t state;
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");
    strsep(&p, ",");
    p[0] = (char)('0' + size);
    meet(list[2] - '0');
    getsubopt(&q, names, &val);
    val[0] = (char)('3' + size);
    q[2] = (char)('4' + size);
    meet(opts[2] - '0');
    meet(opts[6] - '0');
    meet(getsubopt(&q, names, &val) + 1);
    meet(getsubopt(&q, names, &val) + 4);
    iconv(cd, &ip, &left, &op, &room);
    *op = (char)('0' + size);
    meet(out[3] - '0');
    iconv_close(cd);
    memset(&state, 0, sizeof state);
    wide[2] = (char)('0' + size);
    mbsrtowcs(ws, &w, 2, &state);
    meet(*w - '0' + 2);
}

static void scan(const char *s, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsscanf(s, format, ap);
    va_end(ap);
}

static void words(void)
{
    char first[4], second[4], *av[] = { "prog", first, "-n", second, NULL }, *p = NULL, *q = NULL;
    wordexp_t w;
    int c, n = 0;
    first[0] = (char)('3' + size);
    second[0] = (char)('0' + size);
    first[1] = second[1] = 0;
    while ((c = getopt(4, av, "n:")) != -1)
        if (c == 'n') n = optarg[0] - '0' + 10 * (int)strlen(optarg);
    meet(n);
    meet(first[0] - '0' + 10 * (int)strlen(first) + (int)strlen(av[0]));
    av[3][0] = '9';
    meet(first[0]);
    wordexp("a b c", &w, 0);
    w.we_wordv[1][0] = (char)('0' + size);
    meet(w.we_wordv[1][0] - '0' + (int)w.we_wordc);
    scan("abc def", "%ms %ms", &p, &q);
    p[1] = (char)('0' + size);
    q[0] = (char)('2' + size);
    meet(p[1] - '0' + (int)strlen(p));
    meet(q[0] - '0' + (int)strlen(q));
}

static void environment(void)
{
    static char text[8] = "NQ=1", *table[2] = { text }, **old;
    old = environ;
    environ = table;
    text[3] = (char)('0' + size);
    meet(atoi(getenv("NQ")));
    *getenv("NQ") = (char)('2' + size);
    meet(text[3] - '0');
    environ = old;
    for (int k = 0; k < 2; k++) {
        char name[5] = "PATH";
        name[0] = (char)(name[0] - k);          /* OATH is not there */
        meet(getenv(name) ? 5 : 6);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    arrays();
    table();
    strings();
    words();
    environment();
    MPI_Finalize();
    return 0;
}
