/* SPDX-License-Identifier: BSD-3-Clause
 * The relay; see relay.h. All ranks write to one stream socket, so thousands of ranks need only one descriptor. The
 * kernel tells which process wrote each piece (SCM_CREDENTIALS), and never joins pieces of different processes. */
#define _GNU_SOURCE
#include "emulate/parent/relay.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/cold.h"
#include "emulate/world/shared_memory.h"

/* Bytes read at once; bytes of a line that are kept until its newline; how long the parent waits for the relay. */
enum { CHUNK = 1 << 16, LONGEST_LINE = 1 << 20, PATIENCE_MS = 5000 };

/* What a rank has written since its last newline. */
struct line {
    char *text;
    size_t len;
};

static int to_relay = -1;
static pid_t relay;
static int *rank_of_pid;   /* rank + 1, by process id; shared memory that ranks write and the relay reads */
static struct line *lines; /* by rank; the last one is for processes that are not known */

/* Writes the beginning of a line, "[3] text"; rank -1: "[?] text". */
static void put(int rank, const char *text, size_t len)
{
    if (rank >= 0)
        printf("[%d] ", rank);
    else
        fputs("[?] ", stdout);
    fwrite(text, 1, len, stdout);
}

/* Keeps a piece of a line that has no newline yet. A line that is too long, or for which memory is out, is written. */
static void keep(int rank, struct line *l, const char *text, size_t len)
{
    char *p = l->len + len < LONGEST_LINE ? realloc(l->text, l->len + len) : NULL;
    if (p) {
        memcpy(p + l->len, text, len);
        l->text = p;
        l->len += len;
        return;
    }
    put(rank, l->text, l->len);
    fwrite(text, 1, len, stdout);
    putchar('\n');
    l->len = 0;
}

/* Writes all lines that this piece ends, and keeps the rest of it. rank -1: a process that is not known. */
static void take(int rank, const char *text, size_t len)
{
    assert(rank >= -1 && rank < cs_emu_world->nranks);
    struct line *l = &lines[rank >= 0 ? rank : cs_emu_world->nranks];
    const char *end;
    while (len && (end = memchr(text, '\n', len))) {
        size_t n = (size_t)(end - text) + 1;
        put(rank, l->text, l->len);
        fwrite(text, 1, n, stdout);
        free(l->text);
        *l = (struct line){NULL, 0};
        text += n;
        len -= n;
    }
    if (len)
        keep(rank, l, text, len);
}

/* The rank that wrote this piece; -1: another process, such as a child of a rank. */
static int rank_of(struct msghdr *m)
{
    struct ucred who = {.pid = 0};
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
            memcpy(&who, CMSG_DATA(c), sizeof who);
    return who.pid > 0 ? rank_of_pid[who.pid % CS_EMU_PIDS] - 1 : -1;
}

/* The relay's process: reads until the last rank has closed its output, then exits. */
static _Noreturn void run(int from)
{
    static char data[CHUNK] CS_COLD;
    for (;;) {
        union {
            char bytes[CMSG_SPACE(sizeof(struct ucred))];
            struct cmsghdr align;
        } control;
        struct iovec v = {data, sizeof data};
        struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        ssize_t n = recvmsg(from, &m, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) { /* nothing more for now: write out, then wait */
            fflush(stdout);
            n = recvmsg(from, &m, 0);
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        take(rank_of(&m), data, (size_t)n);
    }
    for (int i = 0; i <= cs_emu_world->nranks; i++)
        if (lines[i].len)
            take(i < cs_emu_world->nranks ? i : -1, "\n", 1);
    fflush(stdout);
    _exit(0);
}

static void become_relay(int from)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    close(to_relay);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN); /* it ends when the last rank has closed its output */
    run(from);
}

int cs_emu_relay_start(void)
{
    const char *how = getenv(CS_ENV_STDOUT);
    int ends[2], on = 1;
    if (!how || strcmp(how, "tag") != 0)
        return 0;
    rank_of_pid = mmap(NULL, CS_EMU_PIDS * sizeof *rank_of_pid, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    lines = calloc((size_t)cs_emu_world->nranks + 1, sizeof *lines);
    if (rank_of_pid == MAP_FAILED || !lines || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    to_relay = ends[1];
    if (setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) || (relay = fork()) < 0)
        return -1;
    if (relay == 0)
        become_relay(ends[0]);
    close(ends[0]);
    free(lines);
    return 0;
}

void cs_emu_relay_join(int rank)
{
    if (to_relay < 0)
        return;
    rank_of_pid[getpid() % CS_EMU_PIDS] = rank + 1;
    dup2(to_relay, STDOUT_FILENO);
    close(to_relay);
    munmap(rank_of_pid, CS_EMU_PIDS * sizeof *rank_of_pid);
}

void cs_emu_relay_end(void)
{
    const struct timespec tick = {0, 10 * 1000 * 1000};
    if (to_relay < 0)
        return;
    close(to_relay);
    for (int ms = 0; ms < PATIENCE_MS && waitpid(relay, NULL, WNOHANG) == 0; ms += 10)
        nanosleep(&tick, NULL);
}
