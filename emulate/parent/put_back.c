/* SPDX-License-Identifier: BSD-3-Clause
 * See put_back.h. At the mark, the pages that the process has written so far are copied into a file in memory, which is
 * then mapped in their place, privately: giving up what was written since (MADV_DONTNEED) is to be back. Nothing has
 * to find out which pages that is, and only these cost anything. */
#define _GNU_SOURCE
#include "emulate/parent/put_back.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "commlib/process/orphans.h"

/* Sizes. What there is more of than that makes the process one that cannot be put back, or costs time. */
enum {
    PAGE = 4096,
    MOST_AREAS = 512, /* mappings */
    MOST_FILES = 64,
    MOST_HOT = 64,     /* pages that are copied back */
    MOST_RANGES = 128, /* of pages that were written, in a mapping */
    MOST_ACTIONS = 16, /* of signals */
    STACK = 64 << 10,  /* bytes; of the stack on which memory is put back */
    AT_ONCE = 4096,    /* entries of the page map that are read at once */
    JOIN = 16,         /* untouched pages between touched ones that are not worth a mapping of their own */
    MAPS = 128 << 10   /* bytes of /proc/self/maps */
};
/* Bytes of stack that are there from the mark on, so that it does not grow: that could not be put back. */
#define DEEP (6 << 20)
#define TOUCHED (UINT64_C(3) << 62) /* in an entry of the page map: present, or swapped out */

/* Memory that the process may write and does not share, [from, to): one line of /proc/self/maps. */
struct area {
    char *from, *to;
};

/* PAGEMAP_SCAN of Linux 6.7, which older headers do not have: asks the page map for ranges of pages of some sort. */
struct scan {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, all_of, any_of, shown;
};
/* What it answers: pages [from, to) that are of the same sort. */
struct range {
    uint64_t from, to, sort;
};
#define SCAN _IOWR('f', 16, struct scan)
/* Bits of a sort. */
enum { OF_FILE = 1 << 2, PRESENT = 1 << 3, SWAPPED = 1 << 4 };

/* An open file, to see whether the descriptor still stands for it. */
struct file {
    int fd;
    dev_t dev;
    ino_t ino;
};

/* All that outlives being put back: in a mapping of its own, which is no area. */
struct kept {
    ucontext_t mark, work;
    int (*next)(void);
    void (*cannot)(void);
    int value; /* what the mark returns */
    bool failed;
    int nareas, nfiles;
    struct area area[MOST_AREAS];
    struct file file[MOST_FILES]; /* by descriptor, ascending */
    struct sigaction action[MOST_ACTIONS];
    void *heap_end;
    int size_fd, list_fd, page_map;
    int64_t count;  /* of open files */
    char size[128]; /* what /proc/self/statm began with: pages of address space */
    uint64_t entry[AT_ONCE];
    bool learnt; /* which pages ranks write to: what the first one did */
    int nhot;
    char *hot[MOST_HOT]; /* ascending */
    struct range range[MOST_RANGES];
    char copy[MOST_HOT][PAGE] __attribute__((aligned(PAGE))); /* of pages `hot`, as they were */
    char maps[MAPS];
    char stack[STACK] __attribute__((aligned(64)));
};

static struct kept *kept;

/* ---- what there is ---- */

static void *heap_end(void *to)
{
    return (void *)syscall(SYS_brk, to);
}

/* The number of pages of address space, as text. */
static bool read_size(char *out, size_t len)
{
    ssize_t n = pread(kept->size_fd, out, len - 1, 0);
    out[n > 0 ? n : 0] = 0;
    char *end = strchr(out, ' ');
    if (end)
        *end = 0;
    return end != NULL;
}

/* The lowest page is given up again: touched, it would become a mapping of the file, below which no stack grows. */
static bool grow_stack(void)
{
    struct rlimit lim;
    if (getrlimit(RLIMIT_STACK, &lim) || lim.rlim_cur < DEEP + (DEEP >> 2))
        return false;
    volatile char *here = __builtin_frame_address(0);
    (void)here[-DEEP];
    return madvise((char *)((uintptr_t)(here - DEEP) / PAGE * PAGE), PAGE, MADV_DONTNEED) == 0;
}

static bool read_maps(void)
{
    size_t n = 0;
    ssize_t k = 1;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && n + 1 < sizeof kept->maps && (k = read(fd, kept->maps + n, sizeof kept->maps - 1 - n)) > 0)
        n += (size_t)k;
    if (fd >= 0)
        close(fd);
    kept->maps[n] = 0;
    return fd >= 0 && k == 0 && n > 0;
}

/* "7ffff7e4f000-7ffff7e52000 rw-p ...": the mappings that are written and not shared. */
static bool find_areas(void)
{
    if (!read_maps())
        return false;
    for (char *line = kept->maps, *next; *line; line = next) {
        char *at = line;
        next = strchr(line, '\n');
        next = next ? next + 1 : line + strlen(line);
        char *from = (char *)strtoull(at, &at, 16), *to = *at == '-' ? (char *)strtoull(at + 1, &at, 16) : NULL;
        if (!to || at[0] != ' ')
            return false;
        if (at[2] != 'w' || at[4] != 'p' || from == (char *)kept)
            continue;
        if (kept->nareas == MOST_AREAS || at[1] != 'r' || at[3] == 'x') /* a stack with code on it: nested functions */
            return false;
        kept->area[kept->nareas++] = (struct area){from, to};
    }
    return kept->nareas > 0;
}

static bool note_file(int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return true; /* the one that lists them */
    if (kept->nfiles == MOST_FILES)
        return false;
    int i = kept->nfiles++;
    for (; i > 0 && kept->file[i - 1].fd > fd; i--)
        kept->file[i] = kept->file[i - 1];
    kept->file[i] = (struct file){fd, st.st_dev, st.st_ino};
    return true;
}

/* opendir() allocates, and gives back, as cs_emu_put_back_mark is only about to mark. */
static bool find_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int fds[MOST_FILES + 1], n = 0;
    for (struct dirent *e; d && n <= MOST_FILES && (e = readdir(d));)
        if (e->d_name[0] != '.' && atoi(e->d_name) != dirfd(d))
            fds[n++] = atoi(e->d_name);
    bool ok = d && n <= MOST_FILES;
    if (d)
        closedir(d);
    for (int i = 0; i < n && ok; i++)
        ok = note_file(fds[i]);
    return ok;
}

/* The number of open files, which Linux tells since 6.2; 0: unknown. */
static int64_t count_files(void)
{
    struct stat st;
    return fstat(kept->list_fd, &st) ? 0 : (int64_t)st.st_size;
}

/* What the recorder and the Fortran library catch: programs that catch signals are not put back. */
static const int caught[] = {SIGTERM, SIGINT,  SIGHUP, SIGALRM, SIGQUIT, SIGILL,  SIGABRT,
                             SIGFPE,  SIGSEGV, SIGBUS, SIGSYS,  SIGTRAP, SIGXCPU, SIGXFSZ};
/* Entries of `caught`. */
enum { NCAUGHT = sizeof caught / sizeof *caught };
static_assert((int)NCAUGHT < (int)MOST_ACTIONS, "and one more");

static int signal_at(int i)
{
    return i < NCAUGHT ? caught[i] : CS_ORPHANED;
}

static void find_actions(void)
{
    for (int i = 0; i <= NCAUGHT; i++)
        sigaction(signal_at(i), NULL, &kept->action[i]);
}

/* ---- the mark ---- */

/* Writes the pages to the end of the file in memory and maps them from there. */
static bool map_copy(int fd, off_t *end, char *from, char *to)
{
    size_t bytes = (size_t)(to - from);
    for (size_t done = 0; done < bytes;) {
        ssize_t n = pwrite(fd, from + done, bytes - done, *end + (off_t)done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    if (mmap(from, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, *end) == MAP_FAILED)
        return false;
    *end += (off_t)bytes;
    return true;
}

/* Is the page touched? `entry` holds the page map's entries of the area from page `first` on. */
static bool is_touched(const struct area *a, size_t page, size_t *first, size_t *n)
{
    size_t pages = (size_t)(a->to - a->from) / PAGE;
    if (page < *first || page >= *first + *n) {
        *first = page;
        *n = pages - page < AT_ONCE ? pages - page : AT_ONCE;
        off_t at = (off_t)((uintptr_t)a->from / PAGE + page) * (off_t)sizeof kept->entry[0];
        if (pread(kept->page_map, kept->entry, *n * sizeof kept->entry[0], at) != (ssize_t)(*n * sizeof kept->entry[0]))
            memset(kept->entry, 0xff, sizeof kept->entry);
    }
    return kept->entry[page - *first] & TOUCHED;
}

/* Runs of touched pages become mappings of the file; what lies between stays as it is, empty. */
static bool map_area(int fd, off_t *end, const struct area *a)
{
    size_t pages = (size_t)(a->to - a->from) / PAGE, first = 0, n = 0;
    for (size_t i = 0; i < pages; i++) {
        size_t from = i, last = i;
        if (!is_touched(a, i, &first, &n))
            continue;
        for (; i < pages && i - last <= JOIN; i++)
            if (is_touched(a, i, &first, &n))
                last = i;
        if (!map_copy(fd, end, a->from + from * PAGE, a->from + (last + 1) * PAGE))
            return false;
        i = last;
    }
    return true;
}

/* Runs on the stack that is kept, so that no area is written to meanwhile. A failure halfway does no harm: what is
 * mapped from the file is what was there. */
static void make_mark(void)
{
    off_t end = 0;
    int fd = memfd_create("commslice rank", MFD_CLOEXEC);
    kept->failed = fd < 0;
    for (int i = 0; i < kept->nareas && !kept->failed; i++)
        kept->failed = !map_area(fd, &end, &kept->area[i]);
    if (fd >= 0)
        close(fd);
    kept->count = count_files();
    kept->heap_end = heap_end(NULL);
    kept->failed = kept->failed || !read_size(kept->size, sizeof kept->size);
    kept->value = kept->failed ? -1 : 0;
    setcontext(&kept->mark);
}

static void start_work(void (*work)(void))
{
    getcontext(&kept->work);
    kept->work.uc_stack.ss_sp = kept->stack;
    kept->work.uc_stack.ss_size = sizeof kept->stack;
    kept->work.uc_link = NULL;
    sigfillset(&kept->work.uc_sigmask);
    makecontext(&kept->work, work, 0);
}

/* Descriptors that programs do not meet: they get the lowest that are free. */
static int open_high(const char *path)
{
    enum { HIGH = 640 };
    int fd = open(path, O_RDONLY | O_CLOEXEC), high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (fd >= 0)
        close(fd);
    return high;
}

/* Between two pages that nobody may touch, or the kernel could make one mapping of it and a neighbour. */
static bool map_kept(void)
{
    size_t bytes = (sizeof *kept + PAGE - 1) / PAGE * PAGE;
    char *p = mmap(NULL, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + PAGE, bytes, PROT_READ | PROT_WRITE))
        return false;
    kept = (struct kept *)(p + PAGE);
    return true;
}

/* Large blocks come from the heap from now on, whose end can be put back, and not from mappings of their own. The heap
 * does not get smaller: what was given up below the mark and taken again would be empty. */
static bool look_around(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    kept->size_fd = open_high("/proc/self/statm");
    kept->list_fd = open_high("/proc/self/fd");
    kept->page_map = open_high("/proc/self/pagemap");
    bool ok = kept->size_fd >= 0 && kept->list_fd >= 0 && kept->page_map >= 0 && find_files();
    find_actions();
    return ok && grow_stack() && find_areas();
}

int cs_emu_put_back_mark(void)
{
    if (!map_kept() || !look_around())
        return -1;
    start_work(make_mark);
    swapcontext(&kept->mark, &kept->work);
    return kept->value;
}

/* ---- back ---- */

/* Does each descriptor stand for what it did? */
static bool has_files(void)
{
    struct stat st;
    for (int i = 0; i < kept->nfiles; i++) {
        const struct file *f = &kept->file[i];
        if (fstat(f->fd, &st) || st.st_dev != f->dev || st.st_ino != f->ino)
            return false;
    }
    return true;
}

/* Closes what was opened since the mark. */
static bool put_back_files(void)
{
    unsigned from = 0;
    if (!has_files())
        return false;
    if (kept->count && count_files() == kept->count)
        return true;
    for (int i = 0; i < kept->nfiles; i++) {
        if ((unsigned)kept->file[i].fd > from)
            close_range(from, (unsigned)kept->file[i].fd - 1, 0);
        from = (unsigned)kept->file[i].fd + 1;
    }
    return close_range(from, ~0U, 0) == 0;
}

static bool forget(char *from, size_t bytes)
{
    return madvise(from, bytes, MADV_DONTNEED) == 0;
}

static int compare_pages(const void *key, const void *page)
{
    const char *a = key, *b = *(char *const *)page;
    return a < b ? -1 : a > b;
}

/* Copying is cheaper than giving up a page that each rank writes, which then is mapped and copied by the kernel. */
static bool put_back_page(char *page)
{
    char **hot = kept->learnt ? bsearch(page, kept->hot, (size_t)kept->nhot, sizeof *hot, compare_pages) : NULL;
    if (hot) {
        memcpy(page, kept->copy[hot - kept->hot], PAGE);
        return true;
    }
    if (!kept->learnt && kept->nhot < MOST_HOT)
        kept->hot[kept->nhot++] = page;
    return forget(page, PAGE);
}

/* The ranges of pages that belong to no file: what was written since the mark, as all else is mapped from a file or not
 * touched. -1: the kernel cannot tell, or there are too many. */
static int find_written(const struct area *a)
{
    struct scan s = {.size = sizeof s,
                     .start = (uintptr_t)a->from,
                     .end = (uintptr_t)a->to,
                     .vec = (uintptr_t)kept->range,
                     .vec_len = MOST_RANGES,
                     .inverted = OF_FILE,
                     .all_of = OF_FILE,
                     .any_of = PRESENT | SWAPPED,
                     .shown = PRESENT | SWAPPED};
    long n = ioctl(kept->page_map, SCAN, &s);
    return n < 0 || s.walk_end != s.end ? -1 : (int)n;
}

static bool put_back_area(const struct area *a)
{
    int n = find_written(a);
    bool ok = true;
    if (n < 0)
        return forget(a->from, (size_t)(a->to - a->from));
    for (int i = 0; i < n; i++)
        for (uint64_t page = kept->range[i].from; page < kept->range[i].to && ok; page += PAGE)
            ok = put_back_page((char *)page);
    return ok;
}

static bool put_back_memory(void)
{
    char size[sizeof kept->size];
    bool ok = (char *)heap_end(NULL) >= (char *)kept->heap_end && heap_end(kept->heap_end) == kept->heap_end;
    for (int i = 0; i < kept->nareas && ok; i++)
        ok = put_back_area(&kept->area[i]);
    for (int i = 0; i < kept->nhot && !kept->learnt; i++)
        memcpy(kept->copy[i], kept->hot[i], PAGE);
    kept->learnt = true;
    return ok && read_size(size, sizeof size) && strcmp(size, kept->size) == 0;
}

static void put_back_actions(void)
{
    for (int i = 0; i <= NCAUGHT; i++)
        sigaction(signal_at(i), &kept->action[i], NULL);
}

static void go_back(void)
{
    if (!put_back_files() || !put_back_memory()) {
        kept->cannot();
        _exit(0);
    }
    put_back_actions();
    kept->value = kept->next();
    setcontext(&kept->mark);
}

_Noreturn void cs_emu_put_back(int (*next)(void), void (*cannot)(void))
{
    assert(kept);
    if (!__libc_single_threaded) {
        cannot();
        _exit(0);
    }
    kept->next = next;
    kept->cannot = cannot;
    start_work(go_back);
    setcontext(&kept->work);
    _exit(1);
}
