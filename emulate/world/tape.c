/* SPDX-License-Identifier: BSD-3-Clause
 * Writing and playing tapes. A file begins with a header; its items stand in the order in which they came, and the last
 * one is END. */
#define _GNU_SOURCE
#include "emulate/world/tape.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/grow.h"
#include "base/tape_file.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/world.h"

enum cs_emu_tape_mode cs_emu_tape_mode;
uint64_t cs_emu_tape_looks;

/* ---- writing ---- */

static FILE *out;
static char *out_path;

/* Is the number in a list such as 0,17,63? */
static bool is_listed(const char *list, int rank)
{
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (atoi(at) == rank)
            return true;
    return false;
}

static void write_out(const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, out) != bytes)
        cs_emu_fail("%s: cannot write the tape: %s", out_path, strerror(errno));
}

void cs_emu_tape_begin(int rank, int nranks)
{
    const char *path = getenv(CS_ENV_TAPE);
    struct cs_tape_header h = {.magic = CS_TAPE_MAGIC, .nranks = nranks, .rank = rank};
    if (!path || !*path || !is_listed(getenv(CS_ENV_TAPE_RANKS), rank))
        return;
    if (asprintf(&out_path, "%s.%d", path, rank) < 0)
        cs_emu_fail("no memory for a tape");
    if (!(out = fopen(out_path, "we")))
        cs_emu_fail("%s: cannot write the tape: %s", out_path, strerror(errno));
    write_out(&h, sizeof h);
    cs_emu_tape_mode = CS_EMU_TAPE_WRITES;
}

void cs_emu_tape_add(struct cs_emu_tape_item item, const void *data)
{
    static const char padding[16];
    if (!cs_emu_tape_writes())
        return;
    item.look = cs_emu_tape_looks;
    write_out(&item, sizeof item);
    if (item.bytes)
        write_out(data, item.bytes);
    write_out(padding, -item.bytes & 15);
}

/* ---- playing ---- */

/* Items of one sort, in their order, and how many of them were taken. */
struct sort {
    const struct cs_emu_tape_item **item;
    int n, cap, taken;
};

static const char *in_path;
static struct sort messages, contexts, results;

static void put(struct sort *s, const struct cs_emu_tape_item *i)
{
    if (!CS_MAKE_ROOM(s->item, s->n, s->cap))
        cs_emu_fail("no memory for the tape");
    s->item[s->n++] = i;
}

/* Sorts the items. False: they do not end as they should. */
static bool sort_items(const char *from, const char *end)
{
    const struct cs_emu_tape_item *i = (const struct cs_emu_tape_item *)from;
    for (; (const char *)(i + 1) <= end && i->bytes <= (uint64_t)(end - (const char *)(i + 1));
         i = cs_emu_tape_next(i)) {
        if (i->kind == CS_EMU_TAPE_END)
            return true;
        if (i->kind <= CS_EMU_TAPE_ANSWER)
            put(&messages, i);
        else if (i->kind == CS_EMU_TAPE_CONTEXT)
            put(&contexts, i);
        else if (i->kind == CS_EMU_TAPE_RESULT)
            put(&results, i);
    }
    return false;
}

bool cs_emu_tape_open(int *rank, int *nranks)
{
    struct stat st;
    in_path = getenv(CS_ENV_REPLAY);
    if (!in_path || !*in_path)
        return false;
    int fd = open(in_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st))
        cs_emu_fail("%s: %s", in_path, strerror(errno));
    const char *all = st.st_size > (off_t)sizeof(struct cs_tape_header)
                          ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0)
                          : MAP_FAILED;
    close(fd);
    const struct cs_tape_header *h = (const struct cs_tape_header *)all;
    if (all == MAP_FAILED || memcmp(h->magic, CS_TAPE_MAGIC, sizeof h->magic) != 0 || h->rank < 0 ||
        h->rank >= h->nranks)
        cs_emu_fail("%s: is no tape of commslice record --tape", in_path);
    if (!sort_items(all + sizeof *h, all + st.st_size))
        cs_emu_fail("%s: is cut: its rank did not come to MPI_Finalize", in_path);
    *rank = h->rank;
    *nranks = h->nranks;
    cs_emu_tape_mode = CS_EMU_TAPE_PLAYS;
    return true;
}

static _Noreturn void left(const char *what)
{
    cs_emu_fail("%s: the program is not on its recorded way any more: %s", in_path, what);
}

const struct cs_emu_tape_item *cs_emu_tape_take_message(void)
{
    if (messages.taken == messages.n || messages.item[messages.taken]->look > cs_emu_tape_looks)
        return NULL;
    return messages.item[messages.taken++];
}

uint32_t cs_emu_tape_take_context(void)
{
    if (contexts.taken == contexts.n)
        left("it makes more communicators");
    return contexts.item[contexts.taken++]->context;
}

/* The place of the result, or -1. Nonblocking calls may take theirs in another order than they came. */
static int find_result(uint32_t context, uint32_t number)
{
    for (int i = results.taken; i < results.n; i++)
        if (results.item[i] && results.item[i]->context == context && results.item[i]->number == number)
            return i;
    return -1;
}

bool cs_emu_tape_has_result(uint32_t context, uint32_t number)
{
    int i = find_result(context, number);
    return i >= 0 && results.item[i]->look <= cs_emu_tape_looks;
}

const struct cs_emu_tape_item *cs_emu_tape_take_result(uint32_t context, uint32_t number, int sort, const char *call)
{
    int at = find_result(context, number);
    char what[128];
    snprintf(what, sizeof what, "the tape has nothing for its %s", call);
    if (at < 0 || results.item[at]->tag != sort)
        left(what);
    const struct cs_emu_tape_item *i = results.item[at];
    results.item[at] = NULL;
    while (results.taken < results.n && !results.item[results.taken])
        results.taken++;
    return i;
}

void cs_emu_tape_starved(void)
{
    char what[128];
    snprintf(what, sizeof what, "it waits in %s, and nothing comes", cs_emu_me->note.call);
    left(what);
}

/* ---- the end ---- */

void cs_emu_tape_end(void)
{
    if (cs_emu_tape_plays() && (contexts.taken < contexts.n || results.taken < results.n))
        left("it has come to its end, and there are more collective calls");
    if (!cs_emu_tape_writes())
        return;
    cs_emu_tape_add((struct cs_emu_tape_item){.kind = CS_EMU_TAPE_END}, NULL);
    if (fclose(out))
        cs_emu_fail("%s: cannot write the tape: %s", out_path, strerror(errno));
    cs_emu_tape_mode = CS_EMU_TAPE_OFF;
}
