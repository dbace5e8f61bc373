/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers call sites in order of first use. A slice tells the index in the plugin's list of sites; any other call is
 * known by its return address, which is looked up in a hash table. Module and offset of an address are found once. */
#define _GNU_SOURCE
#include "commlib/record/call_sites.h"

#include <assert.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cold.h"
#include "base/grow.h"
#include "api/marks.h"
#include "commlib/state/run_state.h"
#include "commlib/state/own_slice.h"
#include "base/small_hash.h"

/* A call site that has been used; never freed, so its number and address stay. */
struct site {
    const void *caller; /* return address; NULL for a site of the plugin's list */
    const struct cs_own_site *from_slice;
    int64_t where; /* the result of cs_site_where */
    int in_trace;  /* -1: not yet defined there */
    int number;    /* index in `sites` */
    UT_hash_handle hh;
};

__thread const void *cs_fortran_caller;

static struct site **sites; /* by number */
static int nsites, cap;
static struct site *by_caller;
static int *by_slice_id; /* number + 1 of each site of the plugin's list, 0: not met yet */
static char exe[4096] CS_COLD;

/* The address ranges of the Fortran bindings: a call from there was made by Fortran code. */
static struct {
    uintptr_t lo, hi;
} fortran[8] CS_COLD;
static int nfortran;

static int note_fortran(struct dl_phdr_info *info, size_t size, void *unused)
{
    if (!strstr(info->dlpi_name, "libmpichfort") && !strstr(info->dlpi_name, "libmpifort"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && nfortran < 8; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            fortran[nfortran].lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            fortran[nfortran].hi = fortran[nfortran].lo + info->dlpi_phdr[i].p_memsz;
            nfortran++;
        }
    return 0;
}

void cs_sites_start(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    dl_iterate_phdr(note_fortran, NULL);
}

static struct site *new_site(void)
{
    struct site *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (!CS_MAKE_ROOM(sites, nsites, cap)) {
        free(s);
        return NULL;
    }
    s->in_trace = -1;
    s->number = nsites;
    sites[nsites++] = s;
    return s;
}

static int site_of_caller(const void *caller)
{
    static struct site *last; /* loops call from the same place again and again */
    struct site *s = last;
    if (s && s->caller == caller)
        return s->number;
    HASH_FIND_PTR(by_caller, &caller, s);
    if (!s && (s = new_site())) {
        s->caller = caller;
        s->where = (int64_t)(intptr_t)caller;
        HASH_ADD_PTR(by_caller, caller, s);
    }
    if (s)
        last = s;
    return s ? s->number : -1;
}

static int site_of_slice(int id)
{
    assert(id >= 0 && id < cs_own_slice.nsites);
    if (!by_slice_id && !(by_slice_id = calloc((size_t)cs_own_slice.nsites, sizeof *by_slice_id)))
        return -1;
    if (by_slice_id[id] == 0) {
        struct site *s = new_site();
        if (!s)
            return -1;
        s->from_slice = &cs_own_slice.sites[id];
        s->where = -1 - id;
        by_slice_id[id] = s->number + 1;
    }
    return by_slice_id[id] - 1;
}

static bool is_fortran_binding(const void *p)
{
    for (int i = 0; i < nfortran; i++)
        if ((uintptr_t)p >= fortran[i].lo && (uintptr_t)p < fortran[i].hi)
            return true;
    return false;
}

/* Is the word of a call site of the program that calls this MPI function? */
static bool is_word_of(int32_t word, int index)
{
    int id = CS_SITE_OF(word);
    return word >= 0 && id < cs_own_slice.nsites && cs_own_slice.sites[id].file &&
           cs_own_slice.sites[id].index == index;
}

void cs_site_take(struct cs_call *c, const void *caller)
{
    int32_t word = cs_own_slice.word ? *cs_own_slice.word : -1;
    bool mine = is_word_of(word, c->index), in_binding = !mine && is_fortran_binding(caller);
    c->mark = CS_MARK_CONTENT;
    /* Code compiled without the plugin writes no word, so this one may be left over from an earlier call that is no
     * event. It counts only if its call site calls the same MPI function. The binding of mpi_f08 makes a datatype of a
     * section with gaps before it makes the call that the word is of. */
    if (word >= 0 && !in_binding)
        *cs_own_slice.word = -1;
    if (mine) {
        int id = CS_SITE_OF(word);
        if (cs_own_slice.is_slice)
            c->mark = CS_MARK_OF(word);
        c->poison = c->mark == CS_MARK_POISON;
        if (c->poison)
            c->mark = CS_MARK_NONE;
        c->site = site_of_slice(id);
        return;
    }
    c->site = site_of_caller(cs_fortran_caller && in_binding ? cs_fortran_caller : caller);
}

/* The module of the call before this return address, and "+0x..." with its address in the module's file, for addr2line.
 * Without a module: "?" and the address in memory. */
static void locate(const void *caller, const char **module, char *offset, size_t len)
{
    Dl_info info;
    struct link_map *map = NULL;
    const char *call = (const char *)caller - 1;
    if (!dladdr1(call, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) {
        *module = "?";
        snprintf(offset, len, "+%p", (const void *)call);
        return;
    }
    *module = map->l_name[0] ? map->l_name : exe;
    snprintf(offset, len, "+0x%lx", (unsigned long)((uintptr_t)call - map->l_addr));
}

int cs_site_in_trace(int site)
{
    assert(site < nsites);
    struct site *s = site >= 0 ? sites[site] : NULL;
    if (!s)
        return -1;
    if (s->in_trace < 0 && s->from_slice) {
        s->in_trace = cs_trace_def_site(cs_run.trace, s->from_slice->file, s->from_slice->line, s->from_slice->func);
    } else if (s->in_trace < 0) {
        const char *module;
        char offset[32];
        locate(s->caller, &module, offset, sizeof offset);
        s->in_trace = cs_trace_def_site(cs_run.trace, module, -1, offset);
    }
    return s->in_trace;
}

int64_t cs_site_where(int site)
{
    return site >= 0 && site < nsites ? sites[site]->where : 0;
}

const char *cs_site_where_text(int64_t where, char *buf, int len)
{
    const char *module;
    char offset[32];
    if (where == 0) {
        snprintf(buf, (size_t)len, "unknown place");
    } else if (where < 0) {
        int id = (int)(-1 - where);
        bool known = id < cs_own_slice.nsites && cs_own_slice.sites[id].file;
        snprintf(buf, (size_t)len, "%s:%d", known ? cs_own_slice.sites[id].file : "?",
                 known ? cs_own_slice.sites[id].line : 0);
    } else {
        locate((const void *)(intptr_t)where, &module, offset, sizeof offset);
        snprintf(buf, (size_t)len, "%s%s", module, offset);
    }
    return buf;
}

const char *cs_site_text(int site, char *buf, int len)
{
    return cs_site_where_text(cs_site_where(site), buf, len);
}
