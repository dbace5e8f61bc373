/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads formats; scan_size.h. */
#include "slicer/advise/scan_size.h"

#include <stdbool.h>
#include <string.h>

/* The next conversion of a format, behind its %; NULL: there is none. *size: of the number that it stores, -1: nothing
 * is known of how much that is, 0: it stores nothing. */
static const char *conversion(const char *format, int *size)
{
    const char *at = strchr(format, '%');
    if (!at)
        return NULL;
    bool skips = at[1] == '*' || at[1] == '%';
    at += 1 + (at[1] == '*');
    at += strspn(at, "0123456789");
    size_t n = strspn(at, "hlqjztL");
    char most = n ? at[0] : ' ', kind = at[n];
    if (kind && strchr("diouxX", kind))
        *size = most == 'h' ? (n > 1 ? 1 : 2) : n ? 8 : 4;
    else if (kind && strchr("aefgAEFG", kind))
        *size = most == 'L' ? 16 : n ? 8 : 4;
    else
        *size = -1;
    if (skips)
        *size = 0;
    return at + n + (kind != 0);
}

/* The format of a call of scanf() or its kin, and where it is among what is passed; NULL. */
static const char *format_of(const struct cs_graph *g, int call, int *number)
{
    const struct cs_stmt *s = &g->stmts[call];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || !strstr(cs_obj_name(g, s->callee.id), "scanf"))
        return NULL;
    for (*number = 0; *number < 2 && *number < s->nuses; ++*number) {
        const struct cs_operand *op = &s->uses[*number];
        const char *text = op->kind == CS_OPND_ADDR ? cs_obj_text(g, op->id) : NULL;
        if (text && strchr(text, '%'))
            return text;
    }
    return NULL;
}

int cs_scan_size(const struct cs_graph *g, int call)
{
    int number, size, next;
    const char *format = format_of(g, call, &number);
    if (!format || !(format = conversion(format, &size)) || conversion(format, &next))
        return -1;
    return size > 0 ? size : -1;
}

/* May so many bytes (-1: any number) at the one place be what the load reads at the other one? */
static bool overlap(const struct cs_path *to, int size, const struct cs_path *from, int64_t read)
{
    int last = to->n - 1;
    if (to->n != from->n || size < 0)
        return true;
    if (to->obj != from->obj)
        return last > 0;
    for (int i = 0; i <= last; i++)
        if (to->stride[i] || from->stride[i] || (i < last && to->off[i] != from->off[i]))
            return true;
    return to->off[last] < from->off[last] + read && from->off[last] < to->off[last] + size;
}

bool cs_scan_meets(const struct cs_graph *g, struct cs_pointer_paths *paths, int scan, int scan_call, int load,
                   int load_call)
{
    const struct cs_stmt *w = &g->stmts[scan], *s = &g->stmts[load];
    const struct cs_pattern here = {0};
    struct cs_path to, from;
    int number, size;
    const char *format = format_of(g, scan, &number);
    if (!format || s->kind != CS_STMT_LOAD || s->load.size <= 0 ||
        !cs_pointer_path(paths, s->func, load_call, s->load.base, s->load.pat, &from))
        return true;
    for (number++; (format = conversion(format, &size)); number += size != 0)
        if (size && (number >= w->nuses || !cs_pointer_path(paths, w->func, scan_call, w->uses[number], here, &to) ||
                     overlap(&to, size, &from, s->load.size)))
            return true;
    return false;
}
