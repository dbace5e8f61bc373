/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads formats of one number; scan_size.h. */
#include "slicer/advise/scan_size.h"

#include <string.h>

/* Of a format with one conversion, to a number; -1. */
static int size_of_format(const char *format)
{
    static const struct {
        const char *text;
        int size;
    } known[] = {{"d", 4},  {"i", 4},  {"u", 4},  {"x", 4},   {"f", 4},   {"g", 4},   {"e", 4},   {"ld", 8},
                 {"li", 8}, {"lu", 8}, {"lx", 8}, {"lld", 8}, {"lli", 8}, {"llu", 8}, {"llx", 8}, {"zd", 8},
                 {"zu", 8}, {"hd", 2}, {"hu", 2}, {"lf", 8},  {"lg", 8},  {"le", 8},  {"Lf", 16}, {"Lg", 16}};
    const char *from = strchr(format, '%');
    if (!from || strchr(from + 1, '%'))
        return -1;
    size_t n = strcspn(from + 1, " \t\n\\,;:");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) == n && !strncmp(from + 1, known[i].text, n))
            return known[i].size;
    return -1;
}

int cs_scan_size(const struct cs_graph *g, int call)
{
    const struct cs_stmt *s = &g->stmts[call];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || !strstr(cs_obj_name(g, s->callee.id), "scanf"))
        return -1;
    for (int i = 0; i < 2 && i < s->nuses; i++) {
        const char *text = s->uses[i].kind == CS_OPND_ADDR ? cs_obj_text(g, s->uses[i].id) : NULL;
        if (text && strchr(text, '%'))
            return size_of_format(text);
    }
    return -1;
}
