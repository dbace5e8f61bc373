/* SPDX-License-Identifier: BSD-3-Clause
 * The resolver of locations.h, on elfutils' libdwfl.
 * Modules are opened as files, so nothing needs to be running, and the trace may come from another day. */
#define _GNU_SOURCE 1
#include "reading/locations.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The remembered answer for a call site. */
struct known {
    struct cs_source_location place;
    char *file, *func;
    UT_hash_handle hh;
    char key[]; /* module, newline, offset */
};

/* An executable or library by its path, opened at the first question about it. */
struct module {
    Dwfl_Module *dwfl; /* NULL: cannot be read */
    UT_hash_handle hh;
    char path[];
};

/* Two hash tables: modules by path, and places in the source by module and offset as far as anybody has asked. */
struct cs_locations {
    Dwfl *dwfl;
    struct module *modules;
    struct known *known;
};

static char *debug_path;

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

struct cs_locations *cs_locations_new(void)
{
    struct cs_locations *p = calloc(1, sizeof *p);
    if (p)
        p->dwfl = dwfl_begin(&callbacks);
    return p;
}

void cs_locations_free(struct cs_locations *p)
{
    if (!p)
        return;
    struct known *k, *nk;
    HASH_ITER (hh, p->known, k, nk) {
        HASH_DEL(p->known, k);
        free(k->file);
        free(k->func);
        free(k);
    }
    struct module *m, *nm;
    HASH_ITER (hh, p->modules, m, nm) {
        HASH_DEL(p->modules, m);
        free(m);
    }
    if (p->dwfl)
        dwfl_end(p->dwfl);
    free(p);
}

static Dwfl_Module *module(struct cs_locations *p, const char *path)
{
    struct module *m;
    HASH_FIND_STR(p->modules, path, m);
    if (m)
        return m->dwfl;
    m = calloc(1, sizeof *m + strlen(path) + 1);
    if (!m)
        return NULL;
    strcpy(m->path, path);
    if (p->dwfl) {
        dwfl_report_begin_add(p->dwfl);
        m->dwfl = dwfl_report_offline(p->dwfl, path, path, -1);
        dwfl_report_end(p->dwfl, NULL, NULL);
    }
    HASH_ADD_STR(p->modules, path, m);
    return m->dwfl;
}

/* Fills in what debug information says of the offset. */
static void resolve(struct cs_locations *p, struct known *k, const char *path, GElf_Addr offset)
{
    GElf_Addr bias;
    Dwfl_Module *m = module(p, path);
    if (!m || !dwfl_module_getelf(m, &bias))
        return;
    GElf_Addr call = offset + bias - 1; /* a return address is behind the call */
    Dwfl_Line *line = dwfl_module_getsrc(m, call);
    int nr = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &nr, NULL, NULL, NULL) : NULL;
    const char *func = dwfl_module_addrname(m, call);
    if (file && nr > 0 && (k->file = strdup(file))) {
        k->place.file = k->file;
        k->place.line = nr;
    }
    if (func && (k->func = strdup(func)))
        k->place.func = k->func;
}

struct cs_source_location cs_locations_find(struct cs_locations *p, const struct cs_site *site)
{
    if (!site)
        return (struct cs_source_location){NULL, -1, NULL};
    struct cs_source_location plain = {site->file, site->line, site->func};
    if (site->line >= 0 || !site->file || !site->func || site->func[0] != '+' || !p)
        return plain;
    size_t len = strlen(site->file) + strlen(site->func) + 2;
    struct known *k = calloc(1, sizeof *k + len), *old;
    if (!k)
        return plain;
    snprintf(k->key, len, "%s\n%s", site->file, site->func);
    HASH_FIND_STR(p->known, k->key, old);
    if (old) {
        free(k);
        return old->place;
    }
    k->place = plain;
    resolve(p, k, site->file, strtoull(site->func + 1, NULL, 0));
    HASH_ADD_STR(p->known, key, k);
    return k->place;
}

void cs_locations_fill(struct cs_locations *p, struct cs_site *site, int n)
{
    for (int i = 0; i < n; i++) {
        struct cs_source_location found = cs_locations_find(p, &site[i]);
        site[i] = (struct cs_site){.file = found.file, .line = found.line, .func = found.func};
    }
}
